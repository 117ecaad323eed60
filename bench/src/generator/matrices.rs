//! Matrices: multiplied, transposed and decomposed, by loops, rows or single elements.

use super::{random::Random, template::fill};
use std::fmt::Write as _;

pub fn draw(random: &mut Random) -> String {
    let mut steps = String::new();
    for _ in 0..random.within(1, 3) {
        let step = random.one_of(&[
            "a = multiply(a, b); ",
            "a = a.transposed(); ",
            "a = byRows(a, b); ",
            "sum += Double.doubleToLongBits(decompose(a)) >>> 40; ",
            "a = map(a, x -> x * 0.5 + 0.25); ",
        ]);
        let _ = write!(steps, "{step}");
    }
    fill(JAVA, &[("$STEPS", steps), ("$SIZE", random.size(4, 90).to_string())])
}

const JAVA: &str = r#"
    static final class Matrix {
        final int size;
        final double[] cells;
        Matrix(int size) { this.size = size; this.cells = new double[size * size]; }
        double get(int row, int column) { return cells[row * size + column]; }
        void set(int row, int column, double value) { cells[row * size + column] = value; }
        Matrix transposed() {
            Matrix result = new Matrix(size);
            for (int i = 0; i < size; i++)
                for (int j = 0; j < size; j++) result.set(j, i, get(i, j));
            return result;
        }
        double[] row(int row) { return Arrays.copyOfRange(cells, row * size, (row + 1) * size); }
    }
    static Matrix made(int seed) {
        Matrix made = new Matrix($SIZE);
        for (int i = 0; i < $SIZE * $SIZE; i++)
            made.cells[i] = ((seed * 31 + i * 17) % 101) / 100.0 / $SIZE;
        return made;
    }
    static double cell(Matrix a, Matrix b, int row, int column) {
        double sum = 0;
        for (int k = 0; k < a.size; k++) sum += a.get(row, k) * b.get(k, column);
        return sum;
    }
    static Matrix multiply(Matrix a, Matrix b) {
        Matrix result = new Matrix(a.size);
        for (int i = 0; i < a.size; i++)
            for (int j = 0; j < a.size; j++) result.set(i, j, cell(a, b, i, j));
        return result;
    }
    static double dot(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) sum += a[i] * b[i];
        return sum;
    }
    static Matrix byRows(Matrix a, Matrix b) {
        Matrix result = new Matrix(a.size), turned = b.transposed();
        for (int i = 0; i < a.size; i++) {
            double[] row = a.row(i);
            for (int j = 0; j < a.size; j++) result.set(i, j, dot(row, turned.row(j)));
        }
        return result;
    }
    static double decompose(Matrix a) {
        Matrix lu = map(a, x -> x);
        double product = 1;
        for (int k = 0; k < lu.size; k++) {
            double pivot = lu.get(k, k) + 2;
            product *= pivot > 1.5 ? 1.01 : 0.99;
            for (int i = k + 1; i < lu.size; i++) eliminate(lu, i, k, lu.get(i, k) / pivot);
        }
        return product;
    }
    static void eliminate(Matrix lu, int row, int by, double factor) {
        for (int j = by; j < lu.size; j++) lu.set(row, j, lu.get(row, j) - factor * lu.get(by, j));
    }
    static Matrix map(Matrix a, DoubleUnaryOperator with) {
        Matrix result = new Matrix(a.size);
        for (int i = 0; i < a.cells.length; i++) result.cells[i] = with.applyAsDouble(a.cells[i]);
        return result;
    }
    static long round(int number) {
        Matrix a = made(number), b = made(number + 7);
        long sum = 0;
        for (int i = 0; i < 3; i++) {
            $STEPS
        }
        double trace = 0;
        for (int i = 0; i < a.size; i++) trace += a.get(i, i);
        return sum + (long) (trace * 1e6);
    }
"#;
