/** A named module: its classes cannot call a class of the unnamed module unless it is told to read it. */
module samples.modular {
    requires java.logging;

    exports service;

    uses service.Greeter;

    provides service.Greeter with modular.Polite;
}
