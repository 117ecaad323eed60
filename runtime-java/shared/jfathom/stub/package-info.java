/**
 * Stubs of classes that the compiler cannot see under {@code --release 11}. The build script takes the prefix
 * {@code jfathom/stub/} out of the compiled runtime, so that the real classes are called; the stubs themselves are thrown
 * away. Only names and descriptors matter: bodies are never run.
 */
package jfathom.stub;
