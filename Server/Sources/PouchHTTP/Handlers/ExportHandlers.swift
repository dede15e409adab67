import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import PouchContract
import PouchDomain
import PouchEntities
import PouchImport

/// Exports of orders, customers, stock and products as CSV.
///
/// An export reads page by page, each in its own transaction, so that it takes bounded memory and does not block other
/// requests. If a page cannot be read, the server closes the connection in the middle of the answer, so that the client
/// does not mistake the file for complete.
struct ExportHandlers {
    private static let pageSize = 200

    private let store: any ShopStore
    private let timeZone: TimeZone

    init(services: ShopServices) {
        store = services.store
        timeZone = services.environment.shop.timeZone
    }

    /// One row for each order line. Values of the whole order are only in the row of its first line, so that column
    /// sums are correct.
    func orders(_ call: Call<OrderSearch>) async throws -> Response {
        let search = call.input
        let header = [
            "Order", "Placed (\(timeZone.identifier))", "Status", "E-mail", "Name", "City", "Postal code", "Country",
            "SKU", "Product", "Options", "Units", "Refunded units", "Unit price", "Line total", "Line discount",
            "Line tax", "Shipping", "Discount", "Tax", "Total", "Refunded", "Currency",
        ]
        return export("orders.csv", header, for: call, key: \.order.id) { after, repositories in
            try repositories.orders.orders(matching: search, after: after, limit: Self.pageSize)
        } rows: { [timeZone] record in
            Self.rows(of: record.order, timeZone)
        }
    }

    private static func rows(of order: Order, _ timeZone: TimeZone) -> [[CSVCell]] {
        let address = order.shipping?.address
        return order.lines.enumerated().map { index, line in
            let head: [CSVCell] = [
                .text(order.number), .time(order.createdAt, timeZone), .text(order.status.rawValue),
                .text(order.email ?? ""), .text(address?.name ?? ""), .text(address?.city ?? ""),
                .text(address?.postalCode ?? ""), .text(address?.country ?? ""),
            ]
            let middle: [CSVCell] = [
                .text(line.sku), .text(line.name), .text(line.options.optionsText), .number(line.quantity),
                .number(line.refundedQuantity), .money(line.unitPrice), .money(line.lineTotal), .money(line.discount),
                .money(line.tax),
            ]
            let sums = [
                order.totals.shipping, order.totals.discount, order.totals.tax, order.totals.total,
                order.payment.refunded,
            ]
            return head + middle + sums.map { index == 0 ? .money($0) : .empty }
                + [.text(order.payment.amount.currency.code)]
        }
    }

    func customers(_ call: Call<Void>) async throws -> Response {
        let header = [
            "Name", "E-mail", "Mobile number", "Since (\(timeZone.identifier))", "Orders", "Spent", "Currency",
        ]
        return export("customers.csv", header, for: call, key: \.id) { after, repositories in
            try repositories.customers.customers(matching: [], after: after, limit: Self.pageSize)
        } rows: { [timeZone] customer in
            [
                [
                    .text(customer.name), .text(customer.email), .text(customer.mobileNumber ?? ""),
                    .time(customer.createdAt, timeZone), .number(customer.orderCount), .money(customer.spent),
                    .text(customer.spent.currency.code),
                ]
            ]
        }
    }

    func stock(_ call: Call<Void>) async throws -> Response {
        let header = ["SKU", "Product", "Options", "On hand", "Held", "Available"]
        return export("stock.csv", header, for: call, key: \.sku) { after, repositories in
            try repositories.figures.stockLevels(atMost: nil, after: after, limit: Self.pageSize)
        } rows: { level in
            [
                [
                    .text(level.sku), .text(level.name), .text(level.options.optionsText), .number(level.onHand),
                    .number(level.held), .number(level.available),
                ]
            ]
        }
    }

    /// - Parameters:
    ///   - key: the position of an item. The next page begins after it.
    ///   - page: reads at most `pageSize` items.
    private func export<Item: Sendable>(
        _ file: String, _ header: [String], for call: Call<some Sendable>, key: any KeyPath<Item, String> & Sendable,
        page: @escaping @Sendable (_ after: String?, any ShopRepositories) throws -> [Item],
        rows: @escaping @Sendable (Item) -> [[CSVCell]]
    ) -> Response {
        let principal = call.principal
        // Without this byte order mark, spreadsheets read the file in another encoding.
        let header = "\u{FEFF}" + CSVCell.line(header.map(CSVCell.text))
        return Self.csv(file, header) { [store] after in
            let items = try await store.read(for: principal) { try page(after, $0) }
            let last = items.count == Self.pageSize ? items.last?[keyPath: key] : nil
            return (items.flatMap(rows).map(CSVCell.line).joined(), last)
        }
    }

    /// The products, sent batch by batch, so that a large catalogue takes little memory. Each product is sent in its
    /// state when its batch is read.
    static func products(_ export: ProductExport, for principal: Principal) async throws -> Response {
        // The first batch is read before the answer begins, so that errors can still set the status.
        let first = try await export.batch(after: nil, for: principal)
        return csv("products.csv", ProductExport.header, from: first) {
            try await export.batch(after: $0, for: principal)
        }
    }

    private static func csv(
        _ file: String, _ header: String, from first: ProductExport.Batch? = nil,
        read: @escaping @Sendable (_ after: String?) async throws -> ProductExport.Batch
    ) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: "text/csv; charset=utf-8; header=present", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"\(file)\"",
            ],
            body: .init { writer in
                var batch: ProductExport.Batch = if let first { first } else { try await read(nil) }
                try await writer.write(ByteBuffer(string: header + batch.rows))
                while let last = batch.last {
                    batch = try await read(last)
                    try await writer.write(ByteBuffer(string: batch.rows))
                }
                try await writer.finish(nil)
            })
    }
}

/// A cell of a CSV file (RFC 4180) that people open in a spreadsheet.
enum CSVCell: Sendable {
    /// Text from the shop or a customer. `SpreadsheetCell` keeps spreadsheets from running it as a formula.
    case text(String)
    /// A number that needs no quotes.
    case plain(String)

    static let empty = CSVCell.plain("")

    static func number(_ number: Int) -> CSVCell { .plain(String(number)) }
    static func money(_ money: Money) -> CSVCell { .plain(money.decimal) }
    static func time(_ date: Date, _ timeZone: TimeZone) -> CSVCell {
        .plain(
            date.formatted(
                Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: timeZone)
                    .year().month().day().time(includingFractionalSeconds: false)))
    }

    static func line(_ cells: [CSVCell]) -> String {
        cells.map(\.written).joined(separator: ",") + "\r\n"
    }

    private var written: String {
        switch self {
        case .plain(let text): text
        case .text(let text): SpreadsheetCell.cell(text)
        }
    }
}
