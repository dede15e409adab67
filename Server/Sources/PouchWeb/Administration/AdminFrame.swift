import Foundation
import PouchDomain
import PouchEntities
import PouchTemplates
import PouchWire

/// The values of `admin-head`, for every page of the administration.
struct AdminFrame: TemplateValues {
    struct Shop: TemplateValues {
        let name, url: String
    }

    /// The signed-in staff member.
    struct Member: TemplateValues {
        let name, email, role: String
    }

    let title: String
    let shop: Shop
    let searchText: String
    let member: Member?
    let navigation: [AdminNavigation.Group]
    let canReadReports, canWriteCatalog, canWriteDiscounts: Bool
    /// The seconds after which the page reloads; nil for never.
    var refreshSeconds: Int?

    /// - Parameter member: the staff member; nil for any other visitor.
    init(_ visit: Visit, title: String, member: AdminVisit? = nil) {
        self.title = title
        shop = Shop(name: visit.site.settings.shopName, url: "/")
        searchText = visit.path == AdminPath.search ? visit.query("q") ?? "" : ""
        self.member = member.map { Member(name: $0.profile.name, email: $0.profile.email, role: $0.role.title) }
        navigation =
            member.map { AdminNavigation(path: visit.path, unsent: $0.unsent?.count.text).groups(for: $0) } ?? []
        func may(_ permission: Permission) -> Bool { member?.may(permission) ?? false }
        canReadReports = may(.readReports)
        canWriteCatalog = may(.writeCatalog)
        canWriteDiscounts = may(.writeDiscounts)
    }
}

extension PageContent {
    /// The page in the frame of the administration, with its script.
    func framed(_ visit: Visit, member: AdminVisit? = nil) -> PageContent {
        var framed = self
        framed.script = "admin"
        framed.frame = AdminFrame(visit, title: title, member: member)
        return framed
    }
}

/// A part of the administration with a link in its navigation.
struct AdminSection {
    let label, path: String
    let permission: Permission

    private init(_ label: String, _ path: String, _ permission: Permission) {
        (self.label, self.path, self.permission) = (label, path, permission)
    }

    static let today = Self("Today", "/admin", .readOrders)
    static let orders = Self("Orders", "/admin/orders", .readOrders)
    static let customers = Self("Customers", "/admin/customers", .readCustomers)
    static let products = Self("Products", "/admin/products", .readCatalog)
    static let stock = Self("Stock", "/admin/stock", .readCatalog)
    static let taxonomy = Self("Categories", "/admin/categories", .readCatalog)
    static let frontPage = Self("Front page", "/admin/front-page", .readCatalog)
    // Its pages show reports to all who may read the catalogue; the link is for those who may import.
    static let `import` = Self("Import", "/admin/import", .writeCatalog)
    static let discounts = Self("Discounts", "/admin/discounts", .readCatalog)
    static let prices = Self("Scheduled prices", "/admin/prices", .readCatalog)
    static let settings = Self("Settings", "/admin/settings", .readCatalog)
    static let webhooks = Self("Webhooks", "/admin/webhooks", .manageWebhooks)
    static let mails = Self("E-mails", "/admin/mails", .manageWebhooks)
    static let staff = Self("Staff", "/admin/staff", .manageStaff)
    static let keys = Self("API keys", "/admin/keys", .manageStaff)
    static let audit = Self("Audit log", "/admin/audit", .readAudit)
    static let health = Self("Health", "/admin/health", .manageWebhooks)

    static let groups: [(heading: String?, sections: [AdminSection])] = [
        (nil, [today, orders, customers]),
        ("Catalogue", [products, stock, taxonomy, frontPage, `import`]),
        ("Prices", [discounts, prices]),
        ("Shop", [settings, webhooks, mails, staff, keys, audit, health]),
    ]
}

/// The links to the parts of the administration that a member may see.
struct AdminNavigation {
    struct Group: TemplateValues {
        let heading: String?
        let items: [Link]
    }

    struct Link: TemplateValues {
        let label, url: String
        let isCurrent: Bool
        let count: String?
    }

    let path: String
    /// The number of orders to send; nil for none.
    let unsent: String?

    func groups(for member: AdminVisit) -> [Group] {
        AdminSection.groups.compactMap { heading, sections in
            let links = sections.filter { member.may($0.permission) }.map { section in
                Link(
                    label: section.label, url: section.path, isCurrent: isCurrent(section.path),
                    count: section.path == AdminSection.orders.path && unsent != "0" ? unsent : nil)
            }
            return links.isEmpty ? nil : Group(heading: heading, items: links)
        }
    }

    /// Whether the current page has the address or is below it.
    private func isCurrent(_ url: String) -> Bool {
        path == url || url != AdminSection.today.path && path.hasPrefix(url + "/")
    }
}

/// The values of the partial `admin-status`.
struct StatusValues: TemplateValues {
    let text: String
    let isGood, isWarn, isBad: Bool
}

/// The look of a status in the administration.
enum StatusTone {
    case plain, good, warn, bad

    func status(_ text: String) -> StatusValues {
        StatusValues(text: text, isGood: self == .good, isWarn: self == .warn, isBad: self == .bad)
    }
}

extension String {
    /// The text; nil if it is empty, so that a template shows nothing.
    var ifNotEmpty: String? { isEmpty ? nil : self }
}

extension AdminVisit {
    // MARK: Times, prices and numbers

    private var timeZone: TimeZone { visit.site.shop.timeZone }

    /// A time, such as “14 Mar 2026, 09:12”, in the shop's time zone.
    func time(_ date: Date) -> String { text(date, time: .shortened) }

    /// A time with seconds, such as “14 Mar 2026, 09:12:03”.
    func exactTime(_ date: Date) -> String { text(date, time: .standard) }

    /// A day, such as “14 Mar 2026”.
    func day(_ date: Date) -> String { text(date, time: .omitted) }

    private func text(_ date: Date, time: Date.FormatStyle.TimeStyle) -> String {
        date.formatted(
            Date.FormatStyle(date: .abbreviated, time: time, locale: visit.language.locale, timeZone: timeZone))
    }

    /// A period, such as “from 14 Mar 2026 until 16 Mar 2026”; blank without a start and an end.
    ///
    /// - Parameter text: formats a time.
    func period(from start: Date?, until end: Date?, _ text: (Date) -> String) -> String {
        [start.map { "from " + text($0) }, end.map { "until " + text($0) }].compactMap(\.self).joined(separator: " ")
    }

    /// A time for the attribute of a `time` element.
    func machineTime(_ date: Date) -> String { date.formatted(.iso8601) }

    /// The field value for a time; blank for none.
    func field(_ date: Date?) -> String { date.map { LocalTime($0).text(in: timeZone) } ?? "" }

    var timeZoneText: String { "Times are in \(timeZone.identifier)." }

    func price(_ money: Money) -> String { visit.language.price(money) }

    /// An amount with a minus sign; nil for zero.
    func deduction(_ money: Money) -> String? { money.amount == 0 ? nil : "−" + price(money) }

    /// A percentage, such as “12.5 %”.
    static func percent(basisPoints: Int) -> String { percentField(basisPoints: basisPoints) + " %" }

    /// The field value for basis points, such as “12.5”.
    static func percentField(basisPoints: Int) -> String {
        let (whole, rest) = basisPoints.quotientAndRemainder(dividingBy: 100)
        guard rest > 0 else { return String(whole) }
        let places = rest < 10 ? "0\(rest)" : rest % 10 == 0 ? String(rest / 10) : String(rest)
        return "\(whole).\(places)"
    }

    /// A number with a noun, such as “1 unit” or “2 units”.
    func count(_ number: Int, _ one: String, _ many: String) -> String {
        "\(visit.language.number(number)) \(number == 1 ? one : many)"
    }

    // MARK: Forms

    /// The values of the ticked checkboxes in the failed form; nil if no form was sent.
    func ticked(_ name: String) -> Set<String>? {
        visit.form.map { form in Set(form.fields.filter { $0.name.hasPrefix(name + ".") }.map(\.value)) }
    }
}
