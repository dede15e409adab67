#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    struct WhoAmICommand: ShopCommand {
        static let configuration = CommandConfiguration(commandName: "whoami", abstract: "Show who is signed in.")

        @OptionGroup var global: GlobalOptions

        func run(in shop: Shop) async throws {
            let account = shop.client.account
            guard let session = try await account.restore() else { throw DataError(.notSignedIn) }
            let profile = session.kind == .guest ? nil : try await account.profile()
            let principal = Principal(kind: session.kind, profile: profile)
            try shop.show(principal, as: principal.blocks)
        }
    }
#endif
