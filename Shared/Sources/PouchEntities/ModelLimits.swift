import Foundation

/// The limits that the shop enforces and that a client can check before it sends a request.
public enum ModelLimits {
    /// The years from 1970 to 9999, which both databases and RFC 3339 can represent.
    public static let times = Date(timeIntervalSince1970: 0)..<Date(timeIntervalSince1970: 253_402_300_800)
    /// Units in one line of a cart or an order.
    public static let quantity = 1...999
    /// Lines of a cart or an order.
    public static let lines = 500
    /// A price in minor units. A cart with the maximum number of lines and units still fits into 64 bits.
    public static let price = 0...Int64(1_000_000_000_000)
    /// The total of an order in minor units.
    public static let orderTotal = 0...Int64(10_000_000_000_000)
    /// Units on hand of one SKU, and units in one change of its stock.
    public static let stock = 0...1_000_000_000
    /// Hundredths of a percent of a discount.
    public static let discountBasisPoints = 1...10_000
    /// Characters of a discount code, from `A-Z`, `0-9`, `-`, `_` and `.`.
    public static let discountCodeLength = 3...40
    /// Handles or categories of one discount.
    public static let discountScope = 200
    /// The maximum uses of a discount, if they are limited.
    public static let discountUses = 1...1_000_000_000
    /// Characters of a password.
    public static let passwordLength = 8...128
    /// Characters of a name, a city, a line of an address, and other short texts.
    public static let textLength = 1...200
    /// Characters of an e-mail address (RFC 5321 §4.5.3.1).
    public static let emailLength = 3...254
    /// Characters of a carrier's name and of a tracking number.
    public static let trackingLength = 1...100
    /// Characters of a URL.
    public static let urlLength = 1...2_000
    /// Characters of a note about an order, and of the reason of a refund.
    public static let noteLength = 1...2_000
    /// Notes about one order.
    public static let notes = 200
    /// Periods of one sales report.
    public static let reportPeriods = 400
    /// Days of one sales report.
    public static let reportDays = 1_830
    /// API keys of a shop that are neither revoked nor expired.
    public static let apiKeys = 100
    /// Characters of the token of a link in a mail.
    public static let linkTokenLength = 1...256
    /// Addresses in one account's address book.
    public static let addresses = 50
    /// Webhooks of a shop.
    public static let webhooks = 50
    /// Characters of a webhook's address.
    public static let webhookURLLength = 8...2_000
    /// Characters of a product's name.
    public static let productNameLength = 1...255
    /// Characters of a product's description.
    public static let descriptionLength = 0...65_535
    /// Options of a product, such as Size; the CSV format has columns for three.
    public static let productOptions = 3
    /// Variants of a product, as many as in a Shopify feed.
    public static let productVariants = 2_048
    /// Pictures of a product.
    public static let productImages = 250
    /// Tags or materials of a product.
    public static let productTags = 250
    /// Products on the front page.
    public static let promotions = 100
    /// Grams of a variant.
    public static let weight = 0...100_000_000
    /// Bytes of an uploaded picture.
    public static let pictureBytes = 8 << 20
    /// Pixels of an uploaded picture, which a browser decodes at once.
    public static let picturePixels = 50_000_000
}
