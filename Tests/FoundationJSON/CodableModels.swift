import Foundation

// The entities of a product page, an order and a purchase, coded by Foundation through synthesized conformances.

package struct CodableMoney: Codable {
    let amount: Int64
    let currency: String
}

package struct CodableImage: Codable {
    let url: String
    let alt: String
}

package struct CodableOption: Codable {
    let name: String
    let values: [String]
}

package struct CodableVariant: Codable {
    let sku: String
    let options: [String: String]
    let price: CodableMoney
    let compareAtPrice: CodableMoney?
    let available: Int
    let weightGrams: Int?
}

package struct CodableProduct: Codable {
    let id: String
    let handle: String
    let styleCode: String?
    let name: String
    let description: String?
    let seasonId: String?
    let themeId: String?
    let category: String
    let tags: [String]
    let price: CodableMoney
    let compareAtPrice: CodableMoney?
    let materials: [String]?
    let careInstructions: String?
    let options: [CodableOption]
    let images: [CodableImage]
    let promoImage: CodableImage?
    let updatedAt: Date
    let variants: [CodableVariant]
}

package struct CodableProductPage: Codable {
    let items: [CodableProduct]
    let nextCursor: String?
}

package struct CodablePoint: Codable {
    let latitude: Double
    let longitude: Double
}

package struct CodableAddress: Codable {
    let id: String?
    let name: String
    let line1: String
    let line2: String?
    let city: String
    let region: String?
    let postalCode: String
    let country: String
    let phone: String?
    let location: CodablePoint?
}

package struct CodableOrder: Codable {
    struct Line: Codable {
        let sku: String
        let name: String
        let options: [String: String]
        let quantity: Int
        let unitPrice: CodableMoney
        let lineTotal: CodableMoney
        let discount: CodableMoney
        let tax: CodableMoney
        let refundedQuantity: Int
    }

    struct Totals: Codable {
        let items: CodableMoney
        let discount: CodableMoney
        let shipping: CodableMoney
        let tax: CodableMoney
        let total: CodableMoney
    }

    struct Payment: Codable {
        let id: String
        let status: String
        let amount: CodableMoney
        let refunded: CodableMoney
    }

    struct Shipping: Codable {
        let methodId: String
        let address: CodableAddress
        let price: CodableMoney
    }

    struct Event: Codable {
        let status: String
        let at: Date
    }

    let id: String
    let number: String
    let status: String
    let lines: [Line]
    let totals: Totals
    let payment: Payment
    let shipping: Shipping?
    let rideId: String?
    let email: String?
    let createdAt: Date
    let history: [Event]
}

package struct CodableOrderPage: Codable {
    let items: [CodableOrder]
    let nextCursor: String?
}

package struct CodablePurchase: Codable {
    struct Line: Codable {
        let sku: String
        let quantity: Int
    }

    struct Method: Codable {
        let type: String
        let token: String
    }

    let lines: [Line]
    let address: CodableAddress?
    let methodId: String?
    let discount: String?
    let paymentMethod: Method
    let expectedTotal: CodableMoney
    let email: String?
}

/// Foundation's coders with the conventions of the contract.
package enum FoundationCoder {
    package static func encode(_ value: some Encodable) throws -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            // The style truncates, and a Double may lie just below its millisecond.
            let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
            try container.encode(time.format(Date(timeIntervalSince1970: milliseconds / 1000 + 0.000_1)))
        }
        return try encoder.encode(value)
    }

    package static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            try time.parse(try decoder.singleValueContainer().decode(String.self))
        }
        return try decoder.decode(type, from: data)
    }

    private static let time = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
