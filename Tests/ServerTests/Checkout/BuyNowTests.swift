import PouchContract
import PouchEntities
import PouchWire
import Testing

@Suite("Buying without the cart")
struct BuyNowTests {
    @Test func `An order is placed and the cart is left alone`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.add("scarf-s").good()
            let order = try await guest.buyNow("cap", 2, total: 2490).good()
            #expect(order.status == .paid && order.lines.map(\.quantity) == [2])
            #expect(try await guest.cart().lines.map(\.sku) == ["scarf-s"])
            #expect(try await shop.available("cap") == 8)
        }
    }

    @Test(arguments: [("tok_declined", ProblemCode.paymentDeclined), ("tok_error", .paymentProviderError)])
    func `A card that is not charged puts the units back, and nothing into the cart`(
        card: String, code: ProblemCode
    ) async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.buyNow(card: card).problem(code)
            #expect(try await shop.available("cap") == 10)
            #expect(try await guest.cart().version == 0)
        }
    }

    @Test func `A SKU that stands twice is one line`() async throws {
        try await TestShop.open { shop in
            let lines = [LineRequest(sku: "cap", quantity: 1), LineRequest(sku: "cap", quantity: 2)]
            let preview = try await shop.guest().call(Contract.previewOrder, PreviewRequest(lines: lines)).good()
            #expect(preview.lines.map(\.quantity) == [3])
        }
    }

    @Test func `Each refusal has its code`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            try await guest.buyNow("nobody").problem(.unknownSKU)
            try await guest.buyNow("gloves", total: 1990).problem(.outOfStock)
            try await guest.buyNow(email: nil).problem(.emailRequired)
            try await guest.buyNow(key: nil).problem(.idempotencyKeyRequired)
            try await guest.buyNow("cap", 0).problem(.validationFailed)
            try await guest.buyNow("cap", 1_000).problem(.validationFailed)
            func request(
                _ lines: [LineRequest] = [LineRequest(sku: "cap", quantity: 1)],
                address: AddressInput? = .init(.sample),
                methodId: String? = "standard", discount: String? = nil
            ) -> BuyNowRequest {
                BuyNowRequest(
                    lines: lines, address: address, methodId: methodId, discount: discount,
                    paymentMethod: .card(token: "tok_ok"), expectedTotal: Money(1490, .eur), email: "a@b.de")
            }
            let bad = AddressInput(Address(name: "A", line1: "1", city: "B", postalCode: "1", country: "x"))
            for (body, code) in [
                (request([]), ProblemCode.validationFailed), (request(address: nil), .shippingRequired),
                (request(methodId: nil), .shippingRequired), (request(methodId: "teleport"), .unknownShippingMethod),
                (request(discount: "SALE"), .discountInvalid), (request(address: bad), .validationFailed),
                (request((0...500).map { LineRequest(sku: "s\($0)", quantity: 1) }), .validationFailed),
                (
                    request(Array(repeating: LineRequest(sku: "cap", quantity: 500), count: 2)),
                    .validationFailed
                ),
            ] {
                try await guest.call(Contract.buyNow, body, headers: [HeaderName.idempotencyKey: Caller.key()]).problem(
                    code)
            }
            #expect(try await shop.available("cap") == 10)
        }
    }

    @Test func `A preview says what it would come to, and has no effect`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let lines = [LineRequest(sku: "cap", quantity: 2), LineRequest(sku: "scarf-m", quantity: 5)]
            let plain = try await guest.call(Contract.previewOrder, PreviewRequest(lines: lines)).good()
            #expect(plain.totals.total == Money(14_500, .eur) && plain.totals.shipping == .zero(.eur))
            #expect(plain.lines.map(\.available) == [10, 2])
            #expect(plain.methods.map(\.id) == ["standard", "express"])
            let shipped = try await guest.call(
                Contract.previewOrder, PreviewRequest(lines: lines, address: .init(.sample), methodId: "express")
            ).good()
            #expect(shipped.totals.total == Money(15_490, .eur))
            for (request, code) in [
                (PreviewRequest(lines: []), ProblemCode.validationFailed),
                (PreviewRequest(lines: [LineRequest(sku: "nobody", quantity: 1)]), .unknownSKU),
                (PreviewRequest(lines: lines, methodId: "teleport"), .unknownShippingMethod),
                (PreviewRequest(lines: lines, discount: "SALE"), .discountInvalid),
            ] { try await guest.call(Contract.previewOrder, request).problem(code) }
            #expect(try await guest.cart().version == 0)
            #expect(try await shop.available("cap") == 10)
        }
    }

    @Test func `What was previewed can be bought for that total`() async throws {
        try await TestShop.open { shop in
            let guest = try await shop.guest()
            let lines = [LineRequest(sku: "scarf-m", quantity: 2)]
            let total = try await guest.call(
                Contract.previewOrder, PreviewRequest(lines: lines, methodId: "standard")
            ).good().totals.total
            try await guest.buyNow("scarf-m", 2, total: total.amount).good()
            #expect(try await shop.available("scarf-m") == 0)
        }
    }
}
