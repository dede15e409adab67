#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchCommandLine
    import PouchTerminal

    /// What a command works with: the client, and where its output goes.
    struct Shop {
        let client: PouchClient
        let server: URL
        let printsJSON: Bool
        let output = Screen(STDOUT_FILENO)
        let messages = Screen(STDERR_FILENO)
        let warnings: Warnings

        init(_ options: GlobalOptions) throws {
            let server = try options.server.url
            let warnings = Warnings(messages)
            self.server = server
            self.warnings = warnings
            printsJSON = options.json
            client = PouchClient(
                server: server,
                sessionStore: DeviceStorage(server: server).sessionStore,
                reportRow: { warnings.warn(of: $0) }
            )
        }

        /// Prints a value, as JSON where that is wanted.
        func show(_ value: some Encodable, as blocks: @autoclosure () -> [Block]) throws {
            guard printsJSON else { return output.show(blocks()) }
            output.write(try WireJSON.encode(value) + Data("\n".utf8))
        }

        /// What a person should know beside the answer; not in the way of JSON.
        func note(_ text: StyledText) {
            messages.show([.line(text)])
        }

        func report(_ error: DataError, whenNotFound: String) {
            let isNotFound = ExitStatus(error.reason) == .notFound
            report(
                error.errorDescription ?? "\(error.reason)",
                isNotFound ? whenNotFound : Advice.text(for: error, server: server),
                requestId: error.requestId)
        }

        func report(_ message: String, _ advice: String?, requestId: String? = nil) {
            var blocks: [Block] = [.line(StyledText("error: ", .red) + StyledText(message))]
            if let advice { blocks.append(.line(StyledText(advice))) }
            if let requestId { blocks.append(.line(StyledText("Request: \(requestId)", .dim))) }
            messages.show(blocks)
        }
    }
#endif
