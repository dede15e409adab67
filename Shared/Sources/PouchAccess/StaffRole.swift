/// A kind of action that a staff member or an API key may take. The raw values are the scopes of keys.
public enum Permission: String, Sendable, CaseIterable {
    /// Reading drafts, stock, imports, scheduled prices and discounts.
    case readCatalog = "catalog:read"
    /// Changing products, pictures, stock, prices and imports.
    case writeCatalog = "catalog:write"
    case writeDiscounts = "discounts:write"
    /// Reading the orders of all customers.
    case readOrders = "orders:read"
    /// Fulfilling, delivering and cancelling orders.
    case writeOrders = "orders:write"
    case refundOrders = "orders:refund"
    case readCustomers = "customers:read"
    /// Reading sales reports.
    case readReports = "reports:read"
    /// Reading the shop's events.
    case readEvents = "events:read"
    /// Managing webhooks with their secrets and deliveries.
    case manageWebhooks = "webhooks:manage"
    /// Reading the changes by staff.
    case readAudit = "audit:read"
    /// Managing staff members with their roles, and API keys. No key can have this permission.
    case manageStaff = "staff:manage"
    /// A permission of a later version, which no role of this version has.
    case unrecognised

    /// All permissions that this version knows.
    public static let known = Set(allCases).subtracting([.unrecognised])

    /// The scopes that an API key can have. Only members manage staff and keys: anything that a stolen key granted
    /// would outlast it.
    public static let ofKeys = known.subtracting([.manageStaff])
}

/// A person's role in the staff, which determines what the person may do.
///
///     StaffRole.support.permissions.contains(.refundOrders)   // false
public enum StaffRole: String, Sendable, CaseIterable {
    /// May do everything. A shop always has an owner.
    case owner
    /// Manages the shop, except staff and API keys.
    case manager
    /// Answers customers and sends their orders.
    case support
    case readOnly
    /// A role of a later version, without any permission here.
    case unrecognised

    /// The table of roles.
    public var permissions: Set<Permission> {
        switch self {
        case .owner: Permission.known
        case .manager: Permission.known.subtracting([.manageStaff])
        case .support: [.readCatalog, .readOrders, .writeOrders, .readCustomers]
        case .readOnly: [.readCatalog, .readOrders, .readCustomers, .readReports, .readEvents]
        case .unrecognised: []
        }
    }

    /// The title of the role for display.
    public var title: String { self == .readOnly ? "read only" : rawValue }
}
