import Foundation
import PouchEntities

/// A made-up catalogue.
enum SampleProducts {
    static let sizes = ["XS", "S", "M", "L", "XL", "XXL"]
    static let colours = ["Navy", "Forest"]
    static let kinds = ["Cardigan", "Jumper", "Skirt", "Scarf", "Coat", "Dress"]

    static func product(_ number: Int) -> Product {
        let kind = kinds[number % kinds.count]
        let handle = "\(kind.lowercased())-\(number)"
        let price = Money(Int64(4_900 + number % 80 * 100), .eur)
        return Product(
            id: "prd_\(number)", handle: handle, name: "\(kind) No. \(number)",
            description: "A \(kind.lowercased()) of soft wool in pattern \(number % 17), knitted in one piece.",
            category: kind.lowercased() + "s", tags: ["wool", "knit"], price: price,
            options: [ProductOption(name: "Colour", values: colours), ProductOption(name: "Size", values: sizes)],
            images: [ProductImage(url: "/assets/\(handle).jpg", alt: "\(kind) No. \(number)")],
            updatedAt: Date(timeIntervalSince1970: 1_780_000_000),
            variants: colours.flatMap { colour in
                sizes.map { size in
                    Variant(
                        sku: "\(number)-\(colour)-\(size)", options: ["Colour": colour, "Size": size], price: price,
                        available: number % 20, weightGrams: 380)
                }
            })
    }

    static func page(_ range: Range<Int>, nextCursor: String? = nil) -> ProductPage {
        ProductPage(items: range.map(product), nextCursor: nextCursor)
    }
}
