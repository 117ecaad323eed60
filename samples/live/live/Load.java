package live;

/** `Load NAME`: loads a class. */
final class Load implements Act {
    @Override
    public String act(String[] words) throws ClassNotFoundException {
        return Class.forName(words[0]) == null ? "" : "loaded";
    }
}
