import KooberScreens
import KooberTexts
import KooberWeb
import NIOCore
import NIOPosix
import Testing

/// The server of a site, while browsers connect to it.
@Suite(.timeLimit(.minutes(5)))
struct WebServerTests {
    /// NIO ends the process if a connection is dropped that did not run, which no `catch` can hold up.
    @Test
    func `a server that ends while browsers connect drops none of their connections`() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        // No browser asks for anything, so one site serves all servers.
        let site = await MainActor.run {
            KooberSite(PlayedApp(KooberScreen(.welcome)), language: .english, port: 0)
        }
        for _ in 0..<15 {
            let server = try await WebServer.start(port: 0)
            let serving = Task { await server.run(site) }
            let browsers = (0..<64).map { _ in
                ClientBootstrap(group: group).connect(host: "127.0.0.1", port: server.port)
            }
            let first = try await browsers[0].get()
            // The others are on their way.
            serving.cancel()
            await serving.value
            // The server has closed its side.
            try await first.closeFuture.get()
            for browser in browsers { try? await browser.get().close() }
        }
    }
}
