/// Why a row of a feed, or a part of one, was left out.
public struct FeedRowError: Error, Codable, Sendable, Equatable {
    /// A stable word for the reason, in snake case.
    public struct Code: RawRepresentable, Codable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    /// The physical line on which the row begins, from 1.
    public let line: Int
    /// The column or key, as the feed spells it; nil when the whole row is to blame.
    public let field: String?
    public let code: Code
    /// For people.
    public let detail: String

    public init(line: Int, field: String? = nil, code: Code, detail: String) {
        self.line = line
        self.field = field
        self.code = code
        self.detail = detail
    }
}

extension FeedRowError.Code {
    /// A needed value is missing.
    public static let required = Self(rawValue: "required")
    /// The value cannot be read as what it should be.
    public static let invalid = Self(rawValue: "invalid")
    /// The value is negative or too large.
    public static let outOfRange = Self(rawValue: "out_of_range")
    /// The text is longer than the catalogue takes.
    public static let tooLong = Self(rawValue: "too_long")
    /// The row is not CSV or JSON.
    public static let malformed = Self(rawValue: "malformed")
    /// A quote that is never closed; reading goes on with the next line.
    public static let unterminatedQuote = Self(rawValue: "unterminated_quote")
    /// More cells than the header has.
    public static let tooManyColumns = Self(rawValue: "too_many_columns")
    /// More rows of one handle than a product can have.
    public static let tooManyRows = Self(rawValue: "too_many_rows")
    /// Another variant of the product has this SKU already.
    public static let duplicateSKU = Self(rawValue: "duplicate_sku")
    /// Nothing of the product can be sold, so it is left out.
    public static let noVariants = Self(rawValue: "no_variants")
    /// The feed marks the product as not for sale, so it is left out.
    public static let unpublished = Self(rawValue: "unpublished")
    /// The price is not in the shop's currency.
    public static let currencyMismatch = Self(rawValue: "currency_mismatch")
    /// The product is kept without the variants of this colour.
    public static let unknownColour = Self(rawValue: "unknown_colour")
    /// The product is kept without the variants of this size.
    public static let unknownSize = Self(rawValue: "unknown_size")
    /// Stock is named for a variant that the product does not have.
    public static let unknownVariant = Self(rawValue: "unknown_variant")
    /// The product is kept without this image.
    public static let imageMissing = Self(rawValue: "image_missing")
    /// The image's path leads out of the feed's folder; the product is kept without it.
    public static let pathOutsideFeed = Self(rawValue: "path_outside_feed")
}
