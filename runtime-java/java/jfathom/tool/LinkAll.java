package jfathom.tool;

public final class LinkAll { public static void main(String[] a) {} }
