import Foundation
import PouchWire
import SeededRandom
import Testing

@Suite("Path templates")
struct PathTemplateTests {
    @Test("A value stays within its segment, and percent-decoding gives it back")
    func roundTrip() {
        let template = PathTemplate("/v1/cart/lines/{sku}/x")
        var random = SplitMix64(seed: 1)
        for _ in 0..<500 {
            let value = RandomText.make(using: &random, length: 1...12)
            let pieces = template.path(["sku": value]).split(separator: "/", omittingEmptySubsequences: false)
            #expect(pieces.count == 6)
            #expect(pieces[4].removingPercentEncoding == value)
            #expect(pieces[5] == "x")
        }
    }

    @Test("Templates are read into their segments")
    func segments() {
        #expect(PathTemplate("/v1/{id}/x").segments == [.literal("v1"), .parameter("id"), .literal("x")])
        #expect(PathTemplate("/assets/{path...}").segments == [.literal("assets"), .rest("path")])
    }

    @Test("The rest of a path keeps its slashes and nothing else")
    func rest() {
        let template = PathTemplate("/assets/{path...}")
        #expect(template.path(["path": "a b/c?d"]) == "/assets/a%20b/c%3Fd")
    }

    @Test("A parameter without a value is an empty segment")
    func missing() {
        #expect(PathTemplate("/v1/orders/{id}").path() == "/v1/orders/")
    }
}
