//! A client that waits for a server's answers on a socket; the server rests and works.

use super::{random::Random, template::fill};

pub fn draw(random: &mut Random) -> String {
    fill(
        JAVA,
        &[
            ("$MILLIS", random.within(1, 12).to_string()),
            ("$CALLS", random.size(1, 3000).to_string()),
            ("$WORK", random.size(2, 60).to_string()),
        ],
    )
}

const JAVA: &str = r#"
    static int mix(int x, int rounds) {
        int s = x;
        for (int i = 0; i < rounds; i++) s = s * 31 + (s >>> 7);
        return s;
    }
    static int answer(int number) {
        int sum = number;
        for (int i = 0; i < $CALLS; i++) sum += mix(number + i, $WORK);
        return sum;
    }
    static void serve(Socket socket) throws IOException, InterruptedException {
        var in = new DataInputStream(socket.getInputStream());
        var out = new DataOutputStream(socket.getOutputStream());
        while (true) {
            int number = in.readInt();
            if (number < 0) return;
            Thread.sleep($MILLIS);
            out.writeInt(number * 31);
        }
    }
    static final Socket SOCKET = open();
    static Socket open() {
        try {
            ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
            Thread thread = new Thread(() -> {
                try (Socket socket = server.accept()) { serve(socket); }
                catch (IOException | InterruptedException e) { throw new IllegalStateException(e); }
            });
            thread.setDaemon(true);
            thread.start();
            return new Socket(server.getInetAddress(), server.getLocalPort());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
    static int ask(int number) {
        try {
            new DataOutputStream(SOCKET.getOutputStream()).writeInt(number);
            return new DataInputStream(SOCKET.getInputStream()).readInt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
    static long round(int number) { return answer(number) + ask(number); }
"#;
