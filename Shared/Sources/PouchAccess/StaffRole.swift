/// A kind of action that a member of the staff, or an API key, may take. The raw values are the scopes of keys.
public enum Permission: String, Sendable, CaseIterable {
    /// Drafts, stock, imports, scheduled prices, discounts.
    case readCatalog = "catalog:read"
    /// Products, pictures, stock, prices, imports.
    case writeCatalog = "catalog:write"
    case writeDiscounts = "discounts:write"
    /// The orders of all customers.
    case readOrders = "orders:read"
    /// Fulfilling, delivering and cancelling orders.
    case writeOrders = "orders:write"
    case refundOrders = "orders:refund"
    case readCustomers = "customers:read"
    /// Sales figures.
    case readReports = "reports:read"
    /// The events of the shop.
    case readEvents = "events:read"
    /// Endpoints of webhooks with their secrets, deliveries.
    case manageWebhooks = "webhooks:manage"
    /// The changes by staff.
    case readAudit = "audit:read"
    /// Members of the staff with their roles, and API keys. No key can have it.
    case manageStaff = "staff:manage"
    /// A permission of a later version, which no role of this version has.
    case unrecognised

    /// All permissions that this version knows.
    public static let known = Set(allCases).subtracting([.unrecognised])

    /// The scopes that an API key may have. The staff and the keys are for members alone: what a stolen key had given
    /// would outlast it.
    public static let ofKeys = known.subtracting([.manageStaff])
}

/// The place of a person in the staff, which decides what the person may do.
///
///     StaffRole.support.permissions.contains(.refundOrders)   // false
public enum StaffRole: String, Sendable, CaseIterable {
    /// May do everything. A shop always has one.
    case owner
    /// Runs the shop, but neither the staff nor API keys.
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

    /// The role for people.
    public var title: String { self == .readOnly ? "read only" : rawValue }
}
