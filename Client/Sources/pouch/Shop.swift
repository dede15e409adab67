#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchClient
    import PouchCommandLine
    import PouchJSON
    import PouchTerminal

    /// A command, as the help shows it.
    protocol NamedCommand: SendableMetatype {
        /// By default the name of the type.
        static var commandName: String { get }
        static var abstract: String { get }
        static var discussion: String { get }
        /// The command with its own options and those of every command.
        static var command: any ParsableCommand.Type { get }
    }

    extension NamedCommand {
        static var commandName: String { "\(Self.self)".lowercased() }
        static var discussion: String { "" }
    }

    /// A command that talks to the shop, with its own options.
    protocol ShopCommand: NamedCommand, ParsableArguments {
        /// The message if the shop does not find the object of the command.
        var notFound: NotFound { get }

        /// Checks its options together with those of every command. It may change the server, for example to that of a
        /// link.
        func validate(with server: inout ServerOption, _ global: GlobalOptions) throws
        func run(in shop: Shop) async throws
    }

    extension ShopCommand {
        static var command: any ParsableCommand.Type { Command<Self>.self }
        var notFound: NotFound { .product }

        func validate(with server: inout ServerOption, _ global: GlobalOptions) throws {}
    }

    /// A command with all its options.
    private struct Command<Own: ShopCommand>: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            CommandConfiguration(
                commandName: Own.commandName, abstract: Own.abstract, discussion: Own.discussion)
        }

        @OptionGroup var server: ServerOption
        @OptionGroup var global: GlobalOptions
        @OptionGroup var own: Own

        mutating func validate() throws { try own.validate(with: &server, global) }

        func run() async throws {
            let shop = try Shop(at: server, global)
            do {
                try await own.run(in: shop)
            } catch let error as DataError {
                await shop.report(error, own.notFound)
                throw ExitCode(ExitStatus(error.reason).rawValue)
            } catch let refusal as Refusal {
                shop.report(refusal.message, refusal.advice, reason: refusal.status.code, refusal.status)
                throw ExitCode(refusal.status.rawValue)
            }
        }
    }

    /// A command that consists of others.
    protocol CommandFamily: NamedCommand {
        static var subcommands: [any NamedCommand.Type] { get }
        /// Whether the first of them runs if the user names none.
        static var hasDefault: Bool { get }
    }

    extension CommandFamily {
        static var hasDefault: Bool { true }
        static var command: any ParsableCommand.Type { Family<Self>.self }
    }

    private struct Family<Members: CommandFamily>: AsyncParsableCommand {
        static var configuration: CommandConfiguration {
            let subcommands = Members.subcommands.map { $0.command }
            return CommandConfiguration(
                commandName: Members.commandName, abstract: Members.abstract, discussion: Members.discussion,
                subcommands: subcommands, defaultSubcommand: Members.hasDefault ? subcommands.first : nil)
        }

        @OptionGroup var server: ServerOption
        @OptionGroup var global: GlobalOptions
    }

    /// A command that changes the values of its options, and so requires at least one of them.
    protocol EditCommand: ShopCommand {
        /// One of the options, as an example for a user who has used none.
        static var example: String { get }
        var namesChange: Bool { get }
    }

    extension EditCommand {
        func validate() throws { try checkChange() }

        /// The check that there is a change, for a command that also checks something else.
        func checkChange() throws {
            guard namesChange else { throw ValidationError("Use an option with a new value, such as \(Self.example).") }
        }
    }

    /// A command's access to the shop, and to the terminal.
    struct Shop {
        let client: Pouch
        let server: URL
        /// The transport that all clients of the program share.
        let transport: any Transport
        /// The ID of the API key that is used instead of a session; nil without one.
        let keyId: String?
        let printsJSON: Bool
        let output = Console(STDOUT_FILENO)
        let messages = Console(STDERR_FILENO)
        let warnings: Warnings
        /// The options of all clients. They print a trace of the requests if the user asked for one.
        let network: NetworkOptions

        init(at option: ServerOption, _ options: GlobalOptions) throws {
            let server = try option.url
            let transport = try option.makeTransport()
            let warnings = Warnings(messages)
            self.server = server
            self.transport = transport
            self.warnings = warnings
            let key = try options.apiKey()
            keyId = key.map(GlobalOptions.id(of:))
            printsJSON = options.json
            network = NetworkOptions(
                headers: ["User-Agent": Self.name], observe: options.trace ? Trace(messages, server: server).print : nil
            )
            client = Pouch(
                server: server,
                transport: transport,
                sessionStore: DeviceStorage(server: server, application: Self.application).sessionStore,
                apiKey: key,
                network: network,
                reportRow: { warnings.warn(of: $0) }
            )
        }

        var admin: AdminManager { client.admin }

        /// The program's folder on this device.
        static let application = "pouch"

        /// The program's name for the server, which shows it in the list of sessions.
        private static var name: String {
            #if os(macOS)
                "pouch (macOS)"
            #else
                "pouch (Linux)"
            #endif
        }

        // MARK: - Output

        /// Prints a value as text or, with --json, as JSON.
        func show<Value: JSONCodable>(_ value: Value, as text: (Value) -> [Output]) throws {
            guard printsJSON else { return output.print(text(value)) }
            try showJSON(value)
        }

        func showJSON(_ value: some JSONCodable) throws {
            try Self.write(value, to: output)
        }

        private static func write(_ value: some JSONCodable, to console: Console) throws {
            // JSON escapes the control characters below 0x20; a terminal also obeys those from 0x7F on.
            let json = String(decoding: try value.json(), as: UTF8.self)
            let escaped = json.unicodeScalars.map { scalar in
                (0x7F...0x9F).contains(scalar.value)
                    ? "\\u00" + String(scalar.value, radix: 16) : String(Character(scalar))
            }
            console.write(Data(escaped.joined().utf8) + Data("\n".utf8))
        }

        /// Prints an order and, if the customer can follow its ride, the command for that.
        func show(_ order: Order) async throws {
            let isFollowed = try await client.account.restore()?.kind == .customer && order.isUnderWay
            let ride = isFollowed ? order.rideId.map { [.blank, RideText.watch($0)] } : nil
            try show(order) { OrderText.details($0) + (ride ?? []) }
        }

        /// Confirms a command that has no result; prints nothing with --json.
        func confirm(_ text: StyledText) {
            if !printsJSON { output.print([.line(text)]) }
        }

        /// Refuses --json for a command whose output has its own format, before any request.
        func refuseJSON(for form: String) throws {
            guard printsJSON else { return }
            throw Refusal("This command prints \(form), not JSON.", "Leave out --json.", .usage)
        }

        /// Prints a remark to standard error, where it does not disturb scripts.
        func note(_ text: StyledText) {
            messages.print([.line(text)])
        }

        func report(_ error: DataError, _ notFound: NotFound) async {
            var caller = keyId == nil ? Caller.account : .apiKey
            if error.reason == .forbidden, let session = try? await client.account.restore(), session.kind == .guest {
                caller = .guest
            }
            report(
                error.message(notFound, to: caller), error.advice(notFound, server: server, to: caller),
                reason: error.reason.code, ExitStatus(error.reason), requestId: error.requestId)
        }

        fileprivate func report(
            _ message: String, _ advice: String?, reason: String, _ status: ExitStatus, requestId: String? = nil
        ) {
            guard !printsJSON else {
                let failure = CommandFailure(
                    reason: reason, message: message, advice: advice, requestId: requestId,
                    exitCode: Int(status.rawValue))
                // Texts and a number can always be written.
                try? Self.write(CommandFailure.Document(error: failure), to: messages)
                return
            }
            var lines: [Output] = [.line(StyledText("Error: ", .red) + StyledText(message))]
            if let advice { lines.append(.line(StyledText(advice))) }
            if let requestId { lines.append(.line(StyledText("Request: \(requestId)", .dim))) }
            messages.print(lines)
        }

        // MARK: - Input

        /// Parses an amount in the shop's currency.
        func money(_ text: String) async throws -> Money {
            let currency = try await client.catalog.shop().currency
            guard let money = Money(decimal: text, currency: currency), money.amount >= 0 else {
                throw Refusal(
                    "\(text) is not an amount in \(currency.code).",
                    "Write it like \(Money(1_250, currency).decimal).", .usage)
            }
            return money
        }
    }
#endif
