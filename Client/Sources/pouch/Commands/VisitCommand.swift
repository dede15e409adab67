#if TerminalPrograms
    import ArgumentParser
    import Foundation
    import PouchApp
    import PouchClient
    import PouchCommandLine
    import PouchCoordination
    import PouchPersistence
    import PouchScreens
    import PouchTerminal
    import PouchTerminalScreens

    struct VisitCommand: ShopCommand {
        static let commandName = "shop"
        static let abstract = "Browse and buy on full-screen pages."
        static let discussion = """
            The arrow keys move, Enter opens or activates the selected element, Esc goes back; the bottom rows of \
            each screen show the other keys. Ctrl-C quits at once and restores the terminal. The session and the \
            cart are shared with the other commands. The catalogue, the cart and the orders are stored on this \
            device, so that they are available offline. The next visit to the same shop starts on the page where \
            this one ended.

            Requires a terminal with at least 48 columns and 14 rows. NO_COLOR turns colours off.
            """

        @Option(
            help: .value("url", "Browse the LAYERS feed in this folder of a web server, instead of a Pouch server."),
            transform: Self.feedURL)
        var feed: URL?

        @Option(
            help: .value(
                "url",
                "Start on the page of this link, such as pouch://products/rosa or the server's address with /cart."))
        var open: String?

        func validate(with server: inout ServerOption, _ global: GlobalOptions) throws {
            guard !global.json else {
                throw ValidationError("pouch shop draws on the terminal: leave out --json.")
            }
            guard !global.trace || isatty(STDERR_FILENO) == 0 else {
                throw ValidationError("pouch shop draws on the terminal: redirect the trace, with 2>trace.txt.")
            }
        }

        func run(in shop: Shop) async throws {
            let page = try open.map { try startPage($0, of: shop) }
            do {
                let terminal = try Terminal()
                try await shop.warnings.held { try await Visit(shop: shop, feed: feed, page: page).run(on: terminal) }
            } catch let error as TerminalError {
                throw Refusal(error)
            }
        }

        private func startPage(_ link: String, of shop: Shop) throws -> ShopPage {
            guard let page = URL(string: link).flatMap({ ShopPage(url: $0, of: feed ?? shop.server) }) else {
                throw Refusal(
                    "\(link) is not a link to a page of this shop.",
                    "Try pouch://products, pouch://cart or pouch://orders.",
                    .usage)
            }
            return page
        }

        private static func feedURL(_ text: String) throws -> URL {
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()),
                url.host()?.isEmpty == false
            else { throw ValidationError("--feed must be like https://shop.example/feed, not \(text).") }
            return url
        }
    }

    /// One run of `pouch shop`, from the first screen to the last.
    ///
    /// The catalogue, the cart and the orders are stored on this device, so that the user can browse and edit the cart
    /// while the server cannot be reached.
    @MainActor
    private final class Visit {
        private let shop: Shop
        /// The feed to browse instead of the server's shop.
        private let feed: URL?
        /// The page to start on; nil for those of the last visit.
        private let page: ShopPage?
        private var hasShownPages = false

        init(shop: Shop, feed: URL?, page: ShopPage?) {
            self.shop = shop
            self.feed = feed
            self.page = page
        }

        /// Returns when the user quits.
        func run(on terminal: Terminal) async throws {
            let loop = TerminalLoop(terminal)
            let window = ShopWindow(
                redraw: { [weak loop] in loop?.setNeedsDrawing() }, quit: { [weak loop] in loop?.stop() })
            let app = AppCoordinator(on: window.surface, screens: TerminalScreenFactory(window))
            app.start()
            defer { app.stop() }
            // The first screen is shown while the store is being opened.
            let opening = Task { await open(app) }
            defer { opening.cancel() }
            let lastVisit = PrivateFile(storage.pages)
            let starting = Task { await showPages(in: app, lastVisit) }
            defer { starting.cancel() }
            _ = try await loop.run(window)
            // A visit that ends before it has shown pages keeps those of the last one.
            guard hasShownPages else { return }
            // Without the file, the next visit starts at home.
            try? await lastVisit.write(app.pages.json)
        }

        private var storage: DeviceStorage {
            feed.map { DeviceStorage(feed: $0, application: Shop.application) }
                ?? DeviceStorage(server: shop.server, application: Shop.application)
        }

        /// Opens the page of the command, otherwise those of the last visit.
        private func showPages(in app: AppCoordinator, _ lastVisit: PrivateFile) async {
            defer { hasShownPages = !Task.isCancelled }
            if let page {
                do {
                    try await app.open(page)
                } catch {
                    if let failure = ScreenFailure(showing: error) { app.notify(Notice(failure.text)) }
                }
            } else if let stored = try? await lastVisit.read() {
                await app.restore([ShopPage](json: stored))
            }
        }

        /// Opens the store and gives the app its managers. If nothing can be stored, the app shows a notice and runs
        /// without a store.
        private func open(_ app: AppCoordinator) async {
            do throws(StoreError) {
                let store = try await SQLiteStore.open(at: storage.database)
                app.dependency = AppDependency(client(storage, store), keepsCatalog: true)
                if let setAside = store.setAside {
                    let file = setAside.movedTo.path(percentEncoded: false)
                    app.notify(Notice("The data on this device was damaged and has been moved to \(file)."))
                }
            } catch {
                app.dependency = AppDependency(client(storage, nil))
                let reason =
                    error.reason == .newerVersion
                    ? "it was written by a later version of pouch" : "there is no space or no permission"
                app.notify(Notice("Nothing can be stored on this device: \(reason)."))
            }
        }

        private func client(_ storage: DeviceStorage, _ store: SQLiteStore?) -> Pouch {
            let report: @Sendable (RowReport) -> Void = { [warnings = shop.warnings] in warnings.warn(of: $0) }
            guard let feed else {
                return Pouch(
                    server: shop.server, transport: shop.transport, sessionStore: storage.sessionStore, store: store,
                    cache: storage.cache, network: shop.network, reportRow: report)
            }
            return Pouch(
                feed: feed, transport: shop.transport, store: store, cache: storage.cache, network: shop.network,
                reportRow: report)
        }
    }
#endif
