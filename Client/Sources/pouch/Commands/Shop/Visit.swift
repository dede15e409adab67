#if TerminalPrograms
    import PouchClient
    import PouchCoordination
    import PouchTerminal
    import PouchTerminalScreens

    /// Somebody's way through the shop, from the first screen to the last.
    @MainActor
    struct Visit {
        private let dependency: AppDependency

        init(_ shop: Shop) {
            dependency = AppDependency(shop.client)
        }

        /// Returns when they leave.
        func run(on terminal: Terminal) async throws {
            let loop = TerminalLoop(terminal)
            let window = ShopWindow(
                redraw: { [weak loop] in loop?.setNeedsDrawing() }, quit: { [weak loop] in loop?.stop() })
            let app = AppCoordinator(on: window.surface, screens: TerminalScreenFactory(window))
            app.dependency = dependency
            app.start()
            defer { app.stop() }
            do throws(TerminalError) {
                _ = try await loop.run(window)
            } catch {
                throw Refusal(error)
            }
        }
    }
#endif
