#if TerminalPrograms
    import ArgumentParser
    import PouchCommandLine

    /// What every command takes, before or after its name.
    struct GlobalOptions: ParsableArguments {
        @OptionGroup var server: ServerOption

        @Flag(help: "Print the answer as JSON.")
        var json = false
    }
#endif
