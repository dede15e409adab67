import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchWire
import Testing

@Suite("Access tokens")
struct TokenTests {
    @Test func `An access token is good for fifteen minutes`() async throws {
        try await TestShop.open([]) { shop in
            let customer = try await shop.customer()
            let tokens = try #require(customer.session?.remoteSession)
            #expect(tokens.accessTokenExpiresAt == shop.clock.now.addingTimeInterval(15 * 60))
            #expect(tokens.refreshTokenExpiresAt == shop.clock.now.addingTimeInterval(30 * 24 * 3600))
            shop.clock.advance(by: 15 * 60 - 1)
            try await customer.call(Contract.profile).good()
            shop.clock.advance(by: 1)
            try await customer.call(Contract.profile).problem(.tokenExpired)
            try await customer.call(Contract.cart).problem(.tokenExpired)
        }
    }

    @Test func `A token with anything changed is refused`() async throws {
        try await TestShop.open([]) { shop in
            let token = try #require(try await shop.customer().session?.remoteSession.accessToken)
            let parts = token.split(separator: ".").map(String.init)
            let header = try #require(Data(base64URL: parts[0]).flatMap { String(data: $0, encoding: .utf8) })
            let noAlgorithm = Data(header.replacing("HS256", with: "none").utf8).base64URL
            let otherKey = Data(header.replacing(#/"kid":"[^"]*"/#, with: #""kid":"0000000000000000""#).utf8).base64URL
            let payload = try #require(Data(base64URL: parts[1]).flatMap { String(data: $0, encoding: .utf8) })
            let longer = Data(payload.replacing(#/"exp":\d+/#, with: #""exp":99999999999"#).utf8).base64URL
            let flipped = String(parts[2].reversed())
            for forged in [
                "\(noAlgorithm).\(parts[1]).", "\(noAlgorithm).\(parts[1]).\(parts[2])",
                "\(otherKey).\(parts[1]).\(parts[2])", "\(parts[0]).\(longer).\(parts[2])",
                "\(parts[0]).\(parts[1]).\(flipped)", "\(parts[0]).\(parts[1])", "\(token)x", "x\(token)",
                "\(parts[0]).\(parts[1]).",
            ] {
                try await shop.anyone.send("GET", "/v1/cart", headers: ["Authorization": "Bearer " + forged])
                    .problem(.unauthenticated)
            }
        }
    }

    @Test func `Another shop's token is refused`() async throws {
        let token = Box<String>()
        try await TestShop.open([]) { other in
            await token.set(try await other.guest().session?.remoteSession.accessToken)
        }
        try await TestShop.open([]) { shop in
            let foreign = try #require(await token.value)
            try await shop.anyone.send("GET", "/v1/cart", headers: ["Authorization": "Bearer " + foreign])
                .problem(.unauthenticated)
        }
    }

    @Test func `The token of an ended session is refused`() async throws {
        try await TestShop.open([]) { shop in
            let guest = try await shop.guest()
            try await guest.call(Contract.signOut).good()
            try await guest.call(Contract.cart).problem(.unauthenticated)
            try await guest.call(Contract.signOut).problem(.unauthenticated)
        }
    }

    @Test func `A token is not needed, nor looked at, for what anyone may read`() async throws {
        try await TestShop.open { shop in
            for path in ["/v1/products", "/v1/seasons", "/health/live", "/v1/availability?sku=cap"] {
                let answer = try await shop.anyone.send("GET", path, headers: ["Authorization": "Bearer nonsense"])
                #expect(answer.status == 200)
            }
        }
    }

    @Test func `A server that has just started takes the first tokens that come, however many at once`() async throws {
        try await TestShop.open([]) { shop in
            let guest = try #require(try await shop.guest().session)
            for _ in 0..<10 {
                try await shop.another { other in
                    let statuses = try await parallel(40) { _ in
                        try await other.caller(guest).call(Contract.cart).status
                    }
                    #expect(statuses.allSatisfy { $0 == 200 })
                }
            }
        }
    }
}
