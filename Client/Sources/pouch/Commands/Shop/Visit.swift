#if TerminalPrograms
    import PouchClient
    import PouchCoordination
    import PouchTerminal
    import PouchTerminalScreens

    /// Somebody's way through the shop, from the first screen to the last.
    @MainActor
    struct Visit {
        private let shop: Shop

        init(to shop: Shop) {
            self.shop = shop
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
            let opening = Task { app.dependency = AppDependency(await shop.clientWithStore()) }
            defer { opening.cancel() }
            do throws(TerminalError) {
                _ = try await loop.run(window)
            } catch {
                throw Refusal(error)
            }
        }
    }
#endif
