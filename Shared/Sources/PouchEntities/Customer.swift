import Foundation
import PouchJSON

/// An account for the staff, with the totals of its orders.
public struct Customer: JSONModel, Hashable, Identifiable {
    public let id: String
    public let name: String
    public let email: String
    public let mobileNumber: String?
    public let createdAt: Date
    /// The number of paid orders, including those cancelled or refunded since.
    public let orderCount: Int
    /// The charges of these orders, less their refunds.
    public let spent: Money

    public init(
        id: String, name: String, email: String, mobileNumber: String? = nil, createdAt: Date, orderCount: Int,
        spent: Money
    ) {
        self.id = id
        self.name = name
        self.email = email
        self.mobileNumber = mobileNumber
        self.createdAt = createdAt
        self.orderCount = orderCount
        self.spent = spent
    }

    public static let json = JSONObject(
        Customer.init, .field("id", \.id), .field("name", \.name), .field("email", \.email),
        .field("mobileNumber", \.mobileNumber), .field("createdAt", \.createdAt), .field("orderCount", \.orderCount),
        .field("spent", \.spent))
}

/// A customer with addresses and orders.
public struct CustomerDetails: JSONModel, Hashable, Identifiable {
    public let customer: Customer
    /// The addresses in the order in which they were added.
    public let addresses: [Address]
    /// The latest 50 orders, latest first.
    public let orders: [Order]

    public var id: String { customer.id }

    public init(customer: Customer, addresses: [Address], orders: [Order]) {
        self.customer = customer
        self.addresses = addresses
        self.orders = orders
    }

    public static let json = JSONObject(
        CustomerDetails.init, .field("customer", \.customer), .field("addresses", \.addresses),
        .field("orders", \.orders))
}
