import ClientTesting
import Foundation
import PouchEntities
import PouchTesting

/// The content of a small shop.
enum Sample {
    static let variants = [
        ("cardigan-black-s", "Black", "S", 5), ("cardigan-black-m", "Black", "M", 1),
        ("cardigan-powder-s", "Powder", "S", 0),
    ].map { sku, colour, size, available in
        Variant(
            sku: sku, options: ["Colour": colour, "Size": size], price: Fixture.euros(12900),
            compareAtPrice: Fixture.euros(15900), available: available)
    }

    static let cardigan = Product(
        id: "prd_1", handle: "ribbed-cardigan", name: "Ribbed Cardigan",
        description: "Warm and soft, knitted in one piece.\nMade of wool from the mountains, which keeps its form.",
        category: "cardigans", tags: ["wool", "new"], price: Fixture.euros(12900), compareAtPrice: Fixture.euros(15900),
        materials: ["100 % wool"], careInstructions: "Wash by hand.",
        options: [
            ProductOption(name: "Colour", values: ["Black", "Powder"]),
            ProductOption(name: "Size", values: ["S", "M"]),
        ], images: [], updatedAt: Date.sample, variants: variants)

    static let scarf = Product(
        id: "prd_2", handle: "wool-scarf", name: "Wool Scarf", category: "scarves", tags: [],
        price: Fixture.euros(4299),
        options: [], images: [], updatedAt: Date.sample,
        variants: [Variant(sku: "wool-scarf", options: [:], price: Fixture.euros(4299), available: 2)])

    static let lines = [
        CartLine(
            sku: "cardigan-black-s", productHandle: "ribbed-cardigan", name: "Ribbed Cardigan", image: nil,
            options: ["Colour": "Black", "Size": "S"], quantity: 2, unitPrice: Fixture.euros(12900),
            lineTotal: Fixture.euros(25800), discount: Fixture.euros(0), available: 5),
        CartLine(
            sku: "wool-scarf", productHandle: "wool-scarf", name: "Wool Scarf", image: nil, options: [:], quantity: 3,
            unitPrice: Fixture.euros(4299), lineTotal: Fixture.euros(12897), discount: Fixture.euros(0), available: 2),
    ]

    static let totals = Totals(
        items: Fixture.euros(38697), discount: Fixture.euros(0), shipping: Fixture.euros(490), tax: Fixture.euros(6531),
        total: Fixture.euros(39187))

    static let cart = Cart(
        id: "crt_1", version: 1, lines: lines, totals: totals, changes: [], updatedAt: Date.sample)

    static let address = Address(
        name: "Ann Example", line1: "1 High Street", city: "Sydney", postalCode: "2000", country: "AU")

    static let shipping = Shipping(methodId: "standard", address: address, price: Fixture.euros(490))

    static func order(
        _ status: OrderStatus = .paid, number: String = "P-10001", deliveryFailure: DeliveryFailure? = nil
    ) -> Order {
        Order(
            id: "ord_1", number: number, status: status,
            lines: [
                OrderLine(
                    sku: "wool-scarf", name: "Wool Scarf", options: [:], quantity: 3, unitPrice: Fixture.euros(4299),
                    lineTotal: Fixture.euros(12897), discount: Fixture.euros(0), tax: Fixture.euros(0),
                    refundedQuantity: 0)
            ], totals: totals,
            payment: Payment(
                id: "pay_1", status: .captured, amount: Fixture.euros(39187), refunded: Fixture.euros(0)),
            shipping: shipping, deliveryFailure: deliveryFailure, email: "ann@example.com", createdAt: Date.sample,
            history: [.init(status: .pending, at: Date.sample), .init(status: status, at: Date.sample)])
    }
}
