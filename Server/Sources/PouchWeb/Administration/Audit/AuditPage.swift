import Foundation
import PouchContract
import PouchDomain
import PouchEntities
import PouchJSON
import PouchTemplates
import PouchWire

struct AuditValues: PageModel {
    struct Filter: TemplateValues {
        let actor, object, from, until: String
        let isSet: Bool
    }

    struct Entry: TemplateValues {
        let id, at, atText, actorText, actionText, objectText: String
        /// The address of the object's page; nil for an object without one.
        let objectURL: String?
        /// The number of times; nil for once.
        let countText: String?
        let hasDetails: Bool
        let summaryText: String
        let changes: [Change]
        let address, requestId: String?
    }

    /// The values of a field before and after a change.
    struct Change: TemplateValues {
        let field, beforeText, afterText: String
    }

    let filter: Filter
    let actions: [Choice.Values]
    let entries: [Entry]
    let pager: PagerValues?
}

/// The page of the audit log: the changes by staff and API keys, and failed sign-ins.
struct AuditPage {
    let admin: AdminVisit

    func content() async throws -> PageContent {
        let names = ["actor", "action", "object", "from", "until"]
        let address = ListAddress(AdminSection.audit.path, names, of: admin.visit)
        func query(_ name: String) -> String? { address[name]?.trimmingCharacters(in: .whitespaces) }
        let zone = admin.site.shop.timeZone
        let (actor, action, object) = (query("actor"), query("action"), query("object"))
        let (from, until) = (query("from"), query("until"))
        let period = [from, until].map { $0.flatMap { LocalTime($0, in: zone)?.date } }
        let page = try await admin.list("audit", like: Contract.auditLog, key: \.id) { repositories, after, limit in
            let selection = AuditSelection(
                actor: actor, action: action, object: object, from: period[0], until: period[1])
            return try repositories.audit.entries(repositories.resolved(selection), after: after, limit: limit)
        }
        let values = AuditValues(
            filter: .init(
                actor: actor ?? "", object: object ?? "", from: from ?? "", until: until ?? "",
                isSet: [actor, action, object, from, until].contains { $0 != nil }),
            actions: AuditAction.all.map { Choice($0.name, $0.text) }.values(chosen: action),
            entries: page.items.map(row), pager: address.pager(page))
        return PageContent(values, title: "Audit log")
    }

    private func row(_ entry: AuditEntry) -> AuditValues.Entry {
        let object = AuditObject(entry)
        let changes = AuditChanges(admin: admin).rows(before: entry.before, values: entry.values)
        let hasDetails = !changes.isEmpty || entry.address != nil || entry.requestId != nil
        return .init(
            id: entry.id, at: admin.machineTime(entry.at), atText: admin.time(entry.at), actorText: actor(entry),
            actionText: AuditAction(name: entry.action).text, objectText: object.text, objectURL: object.url,
            countText: entry.count > 1 ? "\(entry.count) times" : nil, hasDetails: hasDetails,
            summaryText: changes.isEmpty ? "Details" : admin.count(changes.count, "change", "changes"),
            changes: changes, address: entry.address?.ifNotEmpty, requestId: entry.requestId?.ifNotEmpty)
    }

    /// The actor's current name, or the id if the actor no longer exists.
    private func actor(_ entry: AuditEntry) -> String {
        guard let id = entry.actor else { return "An unknown client" }
        guard let name = entry.actorName else { return id }
        // A key has a name but no e-mail address.
        return entry.actorEmail == nil ? "Key \(name)" : name
    }
}

/// An action in the log, described for people.
struct AuditAction {
    /// The name of the endpoint.
    let name: String

    /// All audited actions of staff members and keys, sorted by their texts.
    static let all: [AuditAction] = {
        let names = Contract.all.filter { exchange in
            let endpoint = exchange.endpoint
            return endpoint.access.isForStaff && (endpoint.method != .get || exchange.features.contains(.readsPersons))
        }.map(\.endpoint.name)
        let own: [any AnyExchange] = [
            Contract.acceptInvitation, Contract.enableSecondFactor, Contract.removeSecondFactor, Contract.deleteAccount,
        ]
        return (names + own.map(\.endpoint.name) + [AuditEntry.failedSignIn]).map(AuditAction.init)
            .sorted { $0.text < $1.text }
    }()

    /// A description, such as “changed the discount” for `updateDiscount`.
    var text: String {
        if let phrase = Self.phrases[name] { return phrase }
        let words = words
        guard let verb = words.first.flatMap({ Self.verbs[$0] }) else { return words.joined(separator: " ") }
        return ([verb] + words.dropFirst()).joined(separator: " ")
    }

    /// The descriptions that cannot be derived from the name. The object's id follows each.
    private static let phrases: [String: String] = [
        AuditEntry.failedSignIn: "failed to sign in as", Contract.importCatalog.endpoint.name: "imported products",
        Contract.addPicture.endpoint.name: "added a picture",
        Contract.setPromotions.endpoint.name: "changed the promotions",
        Contract.cancelManagedOrder.endpoint.name: "cancelled the order",
        Contract.addOrderNote.endpoint.name: "added a note to the order",
        Contract.rotateWebhookSecret.endpoint.name: "replaced the secret of the webhook",
        Contract.redeliverWebhook.endpoint.name: "resent the webhook delivery",
        Contract.inviteStaff.endpoint.name: "sent the staff invitation",
        Contract.changeStaffRole.endpoint.name: "changed the role of the staff member",
        Contract.removeStaff.endpoint.name: "removed the staff member",
        Contract.acceptInvitation.endpoint.name: "accepted an invitation as the staff member",
        Contract.enableSecondFactor.endpoint.name: "set up the second factor of the staff member",
        Contract.removeSecondFactor.endpoint.name: "removed the second factor of the staff member",
        Contract.deleteAccount.endpoint.name: "deleted the account of the staff member",
        Contract.exportOrders.endpoint.name: "exported orders",
        Contract.exportCustomers.endpoint.name: "exported customers",
        Contract.allOrders.endpoint.name: "paged through the orders",
        Contract.customers.endpoint.name: "paged through the customers",
    ]

    private static let verbs = [
        "update": "changed the", "add": "added the", "delete": "deleted the",
        "schedule": "scheduled the", "set": "saved the", "fulfil": "sent the", "deliver": "delivered the",
        "refund": "refunded the", "create": "created the", "revoke": "revoked the",
    ]

    /// The words of the name, such as “create”, “API”, “key” for `createAPIKey`.
    private var words: [String] {
        var words: [String] = []
        let letters = Array(name)
        for (index, letter) in letters.enumerated() {
            let isStart =
                index > 0 && letter.isUppercase
                && (letters[index - 1].isLowercase || index + 1 < letters.count && letters[index + 1].isLowercase)
            if index == 0 || isStart { words.append("") }
            words[words.count - 1].append(letter)
        }
        return words.map { $0.count > 1 && $0.allSatisfy(\.isUppercase) ? $0 : $0.lowercased() }
    }
}

/// The object of an entry.
struct AuditObject {
    /// The text; empty for a list, which the action already names.
    let text: String
    /// The address of the object's page in the administration; nil for an object without one.
    let url: String?

    private static let pages: [String: @Sendable (String) -> String] = [
        "orders": AdminPath.order, "customers": AdminPath.customer, "products": AdminPath.product,
        "discounts": AdminPath.discount, "webhooks": AdminPath.webhook,
    ]

    init(_ entry: AuditEntry) {
        let path = entry.object ?? ""
        let steps = path.split(separator: "/").map { $0.removingPercentEncoding ?? String($0) }
        let isOfStaff = steps.count > 2 && steps[0] == "v1" && steps[1] == "admin"
        let id = isOfStaff && steps.count > 3 && steps[2] != "exports" ? steps[3] : nil
        text = isOfStaff ? id ?? "" : path
        url = id.flatMap { Self.pages[steps[2]]?($0) }
    }
}

/// Converts the JSON before and after a change to a table of fields.
struct AuditChanges {
    /// The maximum number of rows, and of characters in a value: the log keeps long values, but the page shortens them.
    private static let (maxRows, maxCharacters) = (100, 500)
    private static let maxLevels = 6

    let admin: AdminVisit

    /// - Parameters:
    ///   - before: the replaced or deleted values.
    ///   - values: the values that were sent; nil for a deletion, which shows all fields.
    func rows(before: JSON?, values: JSON?) -> [AuditValues.Change] {
        // Entries are stored without secrets, but those of earlier versions may contain one that was recognised later.
        let old = fields(before?.withoutSecrets)
        let new = fields(values?.withoutSecrets)
        let names = new.isEmpty ? old.map(\.name) : new.map(\.name)
        let (before, after) = (Dictionary(old) { first, _ in first }, Dictionary(new) { first, _ in first })
        return names.prefix(Self.maxRows).compactMap { name -> AuditValues.Change? in
            let (old, new) = (before[name] ?? "", after[name] ?? "")
            guard old != new else { return nil }
            return .init(field: name, beforeText: old, afterText: new)
        }
    }

    private func fields(_ json: JSON?) -> [(name: String, text: String)] {
        guard let json else { return [] }
        var fields: [(name: String, text: String)] = []
        collect(json, path: "", level: 0, into: &fields)
        return fields
    }

    private func collect(_ json: JSON, path: String, level: Int, into fields: inout [(name: String, text: String)]) {
        guard fields.count < 2 * Self.maxRows else { return }
        func step(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
        if let text = text(json) {
            fields.append((path.isEmpty ? "value" : path, String(text.prefix(Self.maxCharacters))))
        } else if level >= Self.maxLevels {
            fields.append((path, "…"))
        } else if let members = json.object {
            for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                collect(value, path: step(name), level: level + 1, into: &fields)
            }
        } else {
            for (index, value) in (json.array ?? []).enumerated() {
                collect(value, path: step(String(index + 1)), level: level + 1, into: &fields)
            }
        }
    }

    /// - Returns: the text; nil for a value with nested fields.
    private func text(_ json: JSON) -> String? {
        switch json {
        case .null: return ""
        case .bool(let isTrue): return isTrue ? "yes" : "no"
        case .integer(let number): return String(number)
        case .number(let number): return String(number)
        case .string(let text): return WireTime.date(text).map(admin.exactTime) ?? text
        case .array(let elements):
            let texts = elements.map { element in element.object == nil && element.array == nil ? text(element) : nil }
            return texts.contains(nil) ? nil : texts.compactMap(\.self).joined(separator: "\n")
        case .object(let members):
            guard members.count == 2, case .integer(let amount)? = members["amount"],
                let currency = members["currency"]?.string.flatMap(Currency.init(code:))
            else { return members.isEmpty ? "" : nil }
            return admin.price(Money(amount, currency))
        }
    }
}
