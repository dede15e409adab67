#if TerminalPrograms
    import ArgumentParser
    import Foundation

    /// What every command takes, before or after its name.
    struct GlobalOptions: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "The shop's server. (default: $POUCH_SERVER, else http://127.0.0.1:8080)", valueName: "url"))
        var server: String?

        @Flag(help: "Print the answer as JSON.")
        var json = false

        func validate() throws {
            _ = try serverURL()
        }

        func serverURL() throws -> URL {
            let fromEnvironment = ProcessInfo.processInfo.environment["POUCH_SERVER"].flatMap { $0.isEmpty ? nil : $0 }
            let text = server ?? fromEnvironment ?? "http://127.0.0.1:8080"
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
                url.host()?.isEmpty == false, url.query() == nil, url.fragment() == nil
            else {
                let source = server == nil ? "POUCH_SERVER" : "--server"
                throw ValidationError(
                    "\(source) must be like http://127.0.0.1:8080 or https://shop.example, not \(text).")
            }
            return url
        }
    }
#endif
