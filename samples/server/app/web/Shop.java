package web;

import java.util.function.IntUnaryOperator;

/** What servlets and pages call. */
public final class Shop {
    /** Calls `tax` four times. */
    public static int price(int items) {
        IntUnaryOperator one = item -> tax(item * 100);
        int sum = 0;
        for (int item = 0; item < 4; item++) {
            sum += one.applyAsInt(item + items);
        }
        return sum;
    }

    static int tax(int cents) {
        return cents + cents / 5;
    }

    private Shop() {}
}
