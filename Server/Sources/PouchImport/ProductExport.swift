import Foundation
import PouchDomain
import PouchEntities

/// Writes all products as a CSV file in Shopify's format, which `ShopifyReader` reads back without a difference.
///
/// The format has no columns for the season, theme, materials, care instructions and the times of a status, so an
/// import leaves these as they are.
public struct ProductExport: Sendable {
    /// The number of products in one read, which bounds the memory.
    private static let batch = 100

    /// Rows of a file, and the position of the last row; nil after the last rows.
    public typealias Batch = (rows: String, last: String?)

    private let environment: DomainEnvironment
    /// The id in each row, by which an import recognises the export.
    private let id: String

    public init(_ environment: DomainEnvironment) {
        self.environment = environment
        id = environment.ids.make(.export)
    }

    /// The first line. A byte order mark before it marks the file as UTF-8 for spreadsheets.
    public static var header: String {
        "\u{FEFF}" + line(columns.map(\.rawValue))
    }

    /// The next rows.
    ///
    /// - Parameters:
    ///   - id: the last product of the previous batch; nil for the first batch.
    ///   - principal: checked in the transaction that reads the products.
    /// - Throws: the errors of `Principal.checkSession`.
    public func batch(after id: String?, for principal: Principal) async throws -> Batch {
        let now = environment.time.now
        let (products, names) = try await environment.store.read(for: principal) { repositories in
            let products = try repositories.products.all(after: id ?? "", limit: Self.batch, at: now)
            let names = try repositories.taxonomy.categoryNames().byKey { ($0.id, $0.name) }
            return (products, names)
        }
        // A product without variants has no row that could be imported.
        let rows = products.filter { !$0.variants.isEmpty }.map { Self.rows($0, of: self.id, categoryNames: names) }
            .joined()
        return (rows, products.count == Self.batch ? products.last?.id : nil)
    }

    private static let columns: [ShopifyColumn] = [
        .handle, .title, .body, .type, .tags, .published, .status, .option1Name, .option1Value, .option2Name,
        .option2Value, .option3Name, .option3Value, .sku, .grams, .quantity, .exportedQuantity, .price,
        .compareAtPrice, .imageSource, .imagePosition, .imageAlt, .export,
    ]

    private static func line(_ cells: [String]) -> String {
        cells.map(SpreadsheetCell.cell).joined(separator: ",") + "\r\n"
    }

    private static func rows(_ product: ManagedProduct, of export: String, categoryNames: [String: String]) -> String {
        let (details, images) = (product.details, product.details.images)
        return (0..<max(product.variants.count, images.count)).map { index in
            var cells: [ShopifyColumn: String] = [.handle: details.handle]
            if index == 0 {
                let name = categoryNames[details.category] ?? details.category
                cells[.title] = details.name
                cells[.body] = details.description.map(html)
                // An import derives the id from this text. If the name would give another id, the file has the id.
                cells[.type] = name.slug == details.category ? name : details.category
                cells[.tags] = details.tags.joined(separator: ", ")
                cells[.published] = product.status == .published ? "TRUE" : "FALSE"
                cells[.status] = status(product.status)
            }
            if index < product.variants.count {
                add(product.variants[index], of: details, named: index == 0, to: &cells)
                cells[.export] = export
            }
            if index < images.count {
                cells[.imageSource] = images[index].url
                cells[.imagePosition] = String(index + 1)
                cells[.imageAlt] = images[index].alt
            }
            return line(columns.map { cells[$0] ?? "" })
        }.joined()
    }

    private static func add(
        _ variant: StockedVariant, of details: ProductDetails, named: Bool, to cells: inout [ShopifyColumn: String]
    ) {
        for (option, columns) in zip(details.options, ShopifyColumn.options) {
            if named { cells[columns.name] = option.name }
            cells[columns.value] = variant.options[option.name]
        }
        if details.options.isEmpty {
            if named { cells[.option1Name] = "Title" }
            cells[.option1Value] = "Default Title"
        }
        cells[.sku] = variant.sku
        cells[.grams] = variant.weightGrams.map(String.init)
        cells[.quantity] = String(variant.onHand)
        cells[.exportedQuantity] = String(variant.onHand)
        cells[.price] = variant.price.decimal
        cells[.compareAtPrice] = variant.compareAtPrice?.decimal
    }

    /// The status in Shopify's words; a withdrawn product is active there, but not published.
    private static func status(_ status: ProductStatus) -> String {
        switch status {
        case .published, .withdrawn, .unrecognised: "active"
        case .draft: "draft"
        case .archived: "archived"
        }
    }

    /// The plain text as HTML without tags, so that its line breaks stay.
    private static func html(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
    }
}
