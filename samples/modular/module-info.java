/** A named module: its classes can call a class of the unnamed module only if it reads that. */
module samples.modular {
    requires java.logging;

    exports service;

    uses service.Greeter;

    provides service.Greeter with modular.Polite;
}
