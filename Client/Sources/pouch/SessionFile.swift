#if TerminalPrograms
    import Foundation

    /// Where the session with a server is kept: one file for each origin in the user's folder for state.
    enum SessionFile {
        static func location(
            for server: URL, environment: [String: String] = ProcessInfo.processInfo.environment
        ) -> URL {
            folder(environment).appending(component: name(server))
        }

        /// As the XDG Base Directory Specification says, which lets only absolute paths count.
        private static func folder(_ environment: [String: String]) -> URL {
            if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
                return URL(filePath: state).appending(component: "pouch")
            }
            return FileManager.default.homeDirectoryForCurrentUser.appending(path: ".local/state/pouch")
        }

        private static func name(_ server: URL) -> String {
            let scheme = server.scheme?.lowercased() ?? ""
            let port = server.port ?? (scheme == "https" ? 443 : 80)
            let host = (server.host() ?? "").lowercased().map { $0.isLetter || $0.isNumber || $0 == "." ? $0 : "-" }
            return "\(scheme)_\(String(host))_\(port).json"
        }
    }
#endif
