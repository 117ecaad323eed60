/** Runs until its input ends. */
public class Wait {
    public static void main(String[] args) throws Exception {
        System.out.println("ready");
        while (System.in.read() >= 0) {}
    }
}
