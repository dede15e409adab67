#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchEntities

    /// The address of the server, for all terminal programs of Pouch.
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

    extension GeoPoint {
        /// Parses latitude and longitude in degrees, for example `-33.8688,151.2093`.
        ///
        /// - Throws: a `ValidationError` for anything that is no place on earth.
        public init(argument: String) throws {
            let degrees = argument.split(separator: ",", omittingEmptySubsequences: false).map {
                Double($0.trimmingCharacters(in: .whitespaces))
            }
            guard degrees.count == 2, let latitude = degrees[0], let longitude = degrees[1],
                (-90...90).contains(latitude), (-180...180).contains(longitude)
            else { throw ValidationError("A place on earth must be like -33.8688,151.2093, not \(argument).") }
            self.init(latitude: latitude, longitude: longitude)
        }
    }
#endif
