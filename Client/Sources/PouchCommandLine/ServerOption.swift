#if TerminalPrograms
    import ArgumentParser
    import Foundation

    /// Where the server is, as all terminal programs of Pouch are told.
    public struct ServerOption: ParsableArguments {
        @Option(
            help: ArgumentHelp(
                "The shop's server. (default: $POUCH_SERVER, else http://127.0.0.1:8080)", valueName: "url"))
        public var server: String?

        public init() {}

        public func validate() throws {
            _ = try url
        }

        public var url: URL {
            get throws {
                let environment = ProcessInfo.processInfo.environment
                let fromEnvironment = environment["POUCH_SERVER"].flatMap { $0.isEmpty ? nil : $0 }
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
    }
#endif
