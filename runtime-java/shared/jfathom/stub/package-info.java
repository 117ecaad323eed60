/**
 * Stubs of classes that the compiler cannot see under {@code --release 11}. The build script cuts
 * the prefix {@code jfathom/stub/} out of the compiled runtime, so that the real classes are
 * called. It throws the stubs away. Only names and descriptors matter: bodies are never run.
 */
package jfathom.stub;
