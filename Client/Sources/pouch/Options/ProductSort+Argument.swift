#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    extension ProductSort: @retroactive ExpressibleByArgument {}
#endif
