package jfathom.tool.fit;

import java.util.function.DoubleUnaryOperator;

/** Matrices behind getters and setters. */
final class Matrices {
    private static final int SIZE = Draw.within(4, 40);
    private static final boolean IS_MAPPED = Draw.within(0, 1) == 1;

    private final double[] values = new double[SIZE * SIZE];

    private double get(int row, int column) {
        return values[row * SIZE + column];
    }

    private void set(int row, int column, double value) {
        values[row * SIZE + column] = value;
    }

    private double dot(Matrices other, int row, int column) {
        double sum = 0;
        for (int i = 0; i < SIZE; i++) sum += get(row, i) * other.get(i, column);
        return sum;
    }

    private Matrices times(Matrices other) {
        Matrices product = new Matrices();
        for (int row = 0; row < SIZE; row++) {
            for (int column = 0; column < SIZE; column++) {
                product.set(row, column, dot(other, row, column));
            }
        }
        return product;
    }

    private Matrices map(DoubleUnaryOperator operator) {
        Matrices mapped = new Matrices();
        for (int row = 0; row < SIZE; row++) {
            for (int column = 0; column < SIZE; column++) {
                mapped.set(row, column, operator.applyAsDouble(get(row, column)));
            }
        }
        return mapped;
    }

    private static double bounded(double value) {
        return value > 2 || value < -2 ? value / 8 : value;
    }

    private double trace() {
        double sum = 0;
        for (int i = 0; i < SIZE; i++) sum += get(i, i);
        return sum;
    }

    static long run(int rounds) {
        Matrices one = new Matrices();
        for (int i = 0; i < SIZE * SIZE; i++) one.set(i / SIZE, i % SIZE, (i * 7 % 11 - 5) / 9.0);
        Matrices power = one;
        long sum = 0;
        for (int round = 0; round < rounds; round++) {
            power = power.times(one).map(Matrices::bounded);
            if (IS_MAPPED) power = power.map(value -> value - 0.01);
            sum += (long) (power.trace() * 100);
        }
        return sum;
    }
}
