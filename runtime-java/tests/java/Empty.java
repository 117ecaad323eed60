/** A program without a probe: nothing starts. */
public class Empty {
    public static void main(String[] args) {}
}
