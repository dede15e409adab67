import Foundation
import PouchClient
import PseudoTerminal
import Testing

/// `pouch shop` as people use it: at a terminal, against a running server with the demo catalogue.
@Suite(.timeLimit(.minutes(3)))
struct ShopTerminalTests {
    @Test("The main job: look, search, choose, fill the cart, sign up on the way, pay, see the order, leave")
    func journey() async throws {
        try await withRunningShop(selling: .demo) { shop in
            let ann = try ShopVisitor(at: shop.url)
            try await ann.see("‹ 1 of 5 ›")
            print(ann.terminal.screen.text)
        }
    }
}
