import org.sat4j.core.VecInt;
import org.sat4j.minisat.SolverFactory;
import org.sat4j.specs.ContradictionException;
import org.sat4j.specs.ISolver;

/** SAT4J on random instances near the threshold, the same in each run. */
public class Sat {
    private static final int VARIABLES = 130;
    private static final int CLAUSES = 553;

    static int solve(int seed) throws Exception {
        ISolver solver = SolverFactory.newDefault();
        solver.newVar(VARIABLES);
        long state = seed;
        try {
            for (int clause = 0; clause < CLAUSES; clause++) {
                int[] literals = new int[3];
                for (int i = 0; i < 3; i++) {
                    state = (state * 1103515245 + 12345) % 2147483648L;
                    int variable = (int) (state / 65536) % VARIABLES + 1;
                    state = (state * 1103515245 + 12345) % 2147483648L;
                    literals[i] = state / 65536 % 2 == 0 ? variable : -variable;
                }
                solver.addClause(new VecInt(literals));
            }
            return solver.isSatisfiable() ? 1 : 0;
        } catch (ContradictionException e) {
            return 0;
        }
    }

    static int run(int items) throws Exception {
        Plant.begin();
        int satisfiable = 0;
        for (int item = 0; item < items; item++) {
            satisfiable += solve(item + 7);
            Plant.item(item);
        }
        Plant.end();
        return satisfiable;
    }

    public static void main(String[] args) throws Exception {
        System.out.println(run(Integer.parseInt(args[0])));
    }
}
