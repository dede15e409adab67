#if TerminalPrograms
    import ArgumentParser
    import PouchClient

    /// A command that talks to the shop.
    protocol ShopCommand: AsyncParsableCommand {
        var global: GlobalOptions { get }
        /// What to type next when the shop doesn't have what was named.
        static var adviceWhenNotFound: String { get }

        func run(in shop: Shop) async throws
    }

    extension ShopCommand {
        static var adviceWhenNotFound: String {
            "`pouch catalog` lists the products, `pouch product HANDLE` their SKUs."
        }

        func run() async throws {
            let shop = try Shop(global)
            do {
                try await run(in: shop)
            } catch let error as DataError {
                shop.report(error, whenNotFound: Self.adviceWhenNotFound)
                throw ExitCode(ExitStatus(error.reason).rawValue)
            } catch let refusal as Refusal {
                shop.report(refusal.message, refusal.advice)
                throw ExitCode(refusal.status.rawValue)
            }
        }
    }
#endif
