#if TerminalPrograms
    import Foundation
    import PouchClient
    import PouchCoordination
    import PouchPersistence
    import PouchScreens
    import PouchTerminal
    import PouchTerminalScreens

    /// Somebody's way through the shop, from the first screen to the last.
    ///
    /// Catalogue, cart and orders are kept on this device, so that there is something to see, and the cart can be changed,
    /// while the server cannot be reached.
    @MainActor
    struct Visit {
        private let shop: Shop
        /// A feed that is looked through in the place of the server.
        private let feed: URL?

        init(to shop: Shop, feed: URL?) {
            self.shop = shop
            self.feed = feed
        }

        /// Returns when they leave.
        func run(on terminal: Terminal) async throws {
            let loop = TerminalLoop(terminal)
            let window = ShopWindow(
                redraw: { [weak loop] in loop?.setNeedsDrawing() }, quit: { [weak loop] in loop?.stop() })
            let app = AppCoordinator(on: window.surface, screens: TerminalScreenFactory(window))
            app.start()
            defer { app.stop() }
            // The first screen is there while the store is opened.
            let opening = Task { await open(app) }
            defer { opening.cancel() }
            do throws(TerminalError) {
                _ = try await loop.run(window)
            } catch {
                throw Refusal(error)
            }
        }

        /// Where nothing can be kept, it says so and goes on without.
        private func open(_ app: AppCoordinator) async {
            let storage = feed.map { DeviceStorage(feed: $0) } ?? DeviceStorage(server: shop.server)
            do throws(StoreError) {
                let store = try await SQLiteStore.open(at: storage.database)
                app.dependency = AppDependency(client(storage, store), keepsCatalog: true)
                if let setAside = store.setAside {
                    let file = setAside.movedTo.path(percentEncoded: false)
                    app.tell(Notice("What was kept on this device could not be read; it is now \(file)."))
                }
            } catch {
                app.dependency = AppDependency(client(storage, nil))
                app.tell(Notice("Nothing is kept on this device this time: \(Self.text(error))"))
            }
        }

        private func client(_ storage: DeviceStorage, _ store: SQLiteStore?) -> PouchClient {
            let report: @Sendable (RowReport) -> Void = { [warnings = shop.warnings] in warnings.warn(of: $0) }
            guard let feed else {
                return PouchClient(
                    server: shop.server, sessionStore: storage.sessionStore, store: store, cache: storage.cache,
                    reportRow: report)
            }
            return PouchClient(feed: feed, store: store, cache: storage.cache, reportRow: report)
        }

        private static func text(_ error: StoreError) -> String {
            error.reason == .newerVersion
                ? "what is there was written by a later version of pouch." : "there is no room, or no permission."
        }
    }
#endif
