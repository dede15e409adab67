import PouchJSON

/// The reason why a row of a feed, or a part of it, was skipped or changed.
public struct FeedRowError: JSONModel, Error, Equatable {
    /// The stable name of a reason, in snake case.
    public struct Code: RawRepresentable, JSONCodable, Sendable, Hashable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }
    }

    public enum Severity: String, JSONCodable, Sendable {
        /// The row, or a part of it, was skipped.
        case error
        /// It was imported, but differently from the feed.
        case note
    }

    /// The physical line on which the row starts, from 1.
    public let line: Int
    /// The column or key, as spelled in the feed; nil for an error of the whole row.
    public let field: String?
    public let code: Code
    /// A description for the user.
    public let detail: String
    public let severity: Severity

    public init(line: Int, field: String? = nil, code: Code, detail: String, severity: Severity = .error) {
        self.line = line
        self.field = field
        self.code = code
        self.detail = detail
        self.severity = severity
    }

    public var isNote: Bool { severity == .note }

    /// Rows that servers of earlier versions stored are all errors.
    public static let json = JSONObject(
        { (line, field, code, detail, severity: Severity?) in
            FeedRowError(line: line, field: field, code: code, detail: detail, severity: severity ?? .error)
        },
        .field("line", \.line), .field("field", \.field), .field("code", \.code), .field("detail", \.detail),
        .field("severity") { $0.isNote ? .note : nil })
}

extension FeedRowError.Code {
    /// A required value is missing.
    public static let required = Self(rawValue: "required")
    /// The value does not have the expected format.
    public static let invalid = Self(rawValue: "invalid")
    /// The value is negative or too large.
    public static let outOfRange = Self(rawValue: "out_of_range")
    /// The text is longer than the catalogue allows.
    public static let tooLong = Self(rawValue: "too_long")
    /// The row is not CSV or JSON.
    public static let malformed = Self(rawValue: "malformed")
    /// A quote is never closed; reading continues with the next line.
    public static let unterminatedQuote = Self(rawValue: "unterminated_quote")
    /// The row has more cells than the header.
    public static let tooManyColumns = Self(rawValue: "too_many_columns")
    /// One handle has more rows than a product can have.
    public static let tooManyRows = Self(rawValue: "too_many_rows")
    /// Another variant already has this SKU, so the variant gets its own.
    public static let duplicateSKU = Self(rawValue: "duplicate_sku")
    /// Another variant of the product has the same options.
    public static let duplicateVariant = Self(rawValue: "duplicate_variant")
    /// The value was changed to one that the shop supports.
    public static let changed = Self(rawValue: "changed")
    /// The shop does not use the column.
    public static let notUsed = Self(rawValue: "not_used")
    /// With the row, the product would not be valid in the shop.
    public static let conflict = Self(rawValue: "conflict")
    /// The product is skipped, since it has no variant that can be sold.
    public static let noVariants = Self(rawValue: "no_variants")
    /// The product is skipped, since the feed marks it as not for sale.
    public static let unpublished = Self(rawValue: "unpublished")
    /// The price is not in the shop's currency.
    public static let currencyMismatch = Self(rawValue: "currency_mismatch")
    /// The product is imported without the variants of this colour.
    public static let unknownColour = Self(rawValue: "unknown_colour")
    /// The product is imported without the variants of this size.
    public static let unknownSize = Self(rawValue: "unknown_size")
    /// The feed has stock for a variant that the product does not have.
    public static let unknownVariant = Self(rawValue: "unknown_variant")
    /// The product is imported without this image.
    public static let imageMissing = Self(rawValue: "image_missing")
    /// The image's path leads outside the feed's folder; the product is imported without it.
    public static let pathOutsideFeed = Self(rawValue: "path_outside_feed")
}

/// The reason why a whole feed cannot be read.
public enum FeedError: Error, Sendable, Equatable, CustomStringConvertible {
    case missingFile(String)
    case unreadable(file: String, reason: String)
    /// The file has no row.
    case empty(String)
    /// The header of a CSV file lacks required columns.
    case missingColumns([String], file: String)
    /// The file's structure is broken, so that its rows cannot be separated; the file may be truncated.
    case malformed(file: String, line: Int, detail: String)

    public var description: String {
        switch self {
        case .missingFile(let file): "The file \(file) is missing."
        case .unreadable(let file, let reason): "\(file) cannot be read: \(reason)."
        case .empty(let file): "\(file) is empty."
        case .missingColumns(let columns, let file):
            "\(file) lacks \(columns.count == 1 ? "the column" : "the columns") \(columns.joined(separator: ", "))."
        case .malformed(let file, let line, let detail): "\(file), line \(line): \(detail)."
        }
    }
}
