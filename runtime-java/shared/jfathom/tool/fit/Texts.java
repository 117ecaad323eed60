package jfathom.tool.fit;

/** Text character by character, and in builders. */
final class Texts {
    private static final int WORDS = Draw.within(5, 60);
    private static final int LETTERS = Draw.within(2, 14);
    private static final int STEPS = Draw.within(1, 3);

    private Texts() {}

    private static boolean isVowel(char letter) {
        return letter == 'a' || letter == 'e' || letter == 'i' || letter == 'o' || letter == 'u';
    }

    private static char letter(int number) {
        return (char) ('a' + (number >>> 3) % 26);
    }

    private static String word(int number) {
        StringBuilder word = new StringBuilder();
        for (int i = 0; i < LETTERS; i++) word.append(letter(number * 31 + i * 77));
        return word.toString();
    }

    private static int vowels(String word) {
        int found = 0;
        for (int i = 0; i < word.length(); i++) if (isVowel(word.charAt(i))) found++;
        return found;
    }

    private static String turned(String word) {
        StringBuilder turned = new StringBuilder(word.length());
        for (int i = word.length() - 1; i >= 0; i--) turned.append(quoted(word.charAt(i)));
        return turned.toString();
    }

    private static String quoted(char letter) {
        return letter == 'q' ? "\\q" : String.valueOf(letter);
    }

    private static int words(String line) {
        int found = 0;
        int begin = 0;
        for (int end = line.indexOf(' '); end >= 0; end = line.indexOf(' ', begin)) {
            found += vowels(line.substring(begin, end));
            begin = end + 1;
        }
        return found;
    }

    private static long line(int number) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < WORDS; i++) {
            String word = word(number + i);
            line.append(STEPS > 1 ? turned(word) : word).append(' ');
        }
        String text = line.toString();
        return STEPS > 2 ? words(text) + text.hashCode() : vowels(text);
    }

    static long run(int rounds) {
        long sum = 0;
        for (int round = 0; round < rounds; round++) sum += line(round * 13);
        return sum;
    }
}
