import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchTemplates
import PouchWire

extension PageRoutes {
    func addDiscountPages() {
        admin(.discounts) { try await DiscountPages(admin: $0).list() }
        let new = admin("/admin/discounts/new", .writeDiscounts) { try await DiscountPages(admin: $0).new() }
        let one = admin(.discounts, "/{id}") { admin in
            try await DiscountPages(admin: admin).one(admin.visit.parameter("id"))
        }
        let access = Contract.updateDiscount.endpoint.access
        form("/admin/discounts", for: access, showing: new) { submission in
            let discount = try await submission.send(
                Contract.addDiscount, DiscountForm(submission.form, submission.site).json)
            submission.tell("The discount \(discount.terms.code) was created.")
            return Redirect(to: AdminPath.discount(discount.id))
        }
        form("/admin/discounts/{id}", for: access, showing: one) { submission in
            let edit = DiscountForm(submission.form, submission.site)
            // The form that undoes a change names its version, and what has changed since then stays.
            let discount =
                submission.form["version"] == nil
                ? try await submission.save(edit)
                : try await submission.send(Contract.updateDiscount, JSON.object(edit.changes))
            submission.tell("\(discount.terms.code) was saved.")
            return Redirect(to: AdminPath.discount(discount.id))
        }
        form("/admin/discounts/{id}/off", for: access, showing: one) { submission in
            let old = try await submission.storedDiscount()
            let end = submission.site.now.addingTimeInterval(DiscountForm.endsWithin)
            let new = try await submission.send(
                Contract.updateDiscount, ["endsAt": .string(WireTime.text(end))] as JSON)
            let page = AdminPath.discount(old.id)
            let before = old.terms.endsAt.map(WireTime.text) ?? ""
            let version = String(try submission.administration.version(of: new))
            submission.tell(
                "\(old.terms.code) ends now.",
                undo: .init(action: page, fields: [.init("endsAt!:time", before), .init("version", version)]))
            return Redirect(to: page)
        }
        form("/admin/discounts/{id}/delete", for: access, showing: one) { submission in
            let old = try await submission.storedDiscount()
            try await submission.perform(Contract.deleteDiscount)
            submission.tell("\(old.terms.code) was deleted.")
            return Redirect(to: AdminSection.discounts.path)
        }
    }
}

extension Submission {
    fileprivate var administration: ShopAdministration { ShopAdministration(site.environment) }

    /// Saves the changes of a form, and keeps those that other people have made to other values.
    fileprivate func save(_ edit: DiscountForm) async throws -> ManagedDiscount {
        let saved = try await repeatingConflicts { () -> ManagedDiscount? in
            let stored = try await storedDiscount()
            guard edit.conflicts(with: stored.terms).isEmpty else { return nil }
            let version = try administration.version(of: stored)
            return try await send(Contract.updateDiscount, JSON.object(edit.changes)) {
                $0[.ifMatch] = "\"\(version)\""
            }
        }
        guard let saved else { throw RequestProblem(.versionConflict) }
        return saved
    }

    /// The discount in the form's path, before the form takes effect.
    fileprivate func storedDiscount() async throws -> ManagedDiscount {
        let id = try visit.parameter("id")
        return try await visit.read { _, repositories in try repositories.discount(id: id) }
    }
}

extension Repositories {
    /// - Throws: `DomainError.notFound`.
    fileprivate func discount(id: String) throws -> ManagedDiscount {
        try discounts.record(id: id).orNotFound().managed
    }
}

struct DiscountsValues: PageModel {
    struct Row: TemplateValues {
        let url, code, effectText: String
        let conditionText: String?
        let scopeText, timesText: String
        let status: StatusValues
        let usedText: String
    }

    let pager: PagerValues?
    let discounts: [Row]
}

struct DiscountValues: PageModel {
    /// The values that only an existing discount has.
    struct Saved: TemplateValues {
        let id: String
        /// The terms first shown in the form, as JSON.
        let shown: String
        let status: StatusValues
        let usedText: String
        let canSwitchOff: Bool
    }

    /// The values of the form's fields.
    struct Fields: TemplateValues {
        let code: String
        let isPercentage, isAmount, isBuyXGetY, isFreeShipping: Bool
        let percent, amount, buy, get, startsAt, endsAt, minimum, products, limit, limitPerAccount: String
    }

    /// The values of an existing discount; nil for a new one.
    let saved: Saved?
    let action, saveLabel: String
    let discount: Fields
    let currency, timeZoneText: String
    let categories: [Choice.Values]
}

struct DiscountPages {
    private(set) var admin: AdminVisit

    init(admin: AdminVisit) {
        self.admin = admin
    }

    private struct Scope: Sendable {
        let categories: [CategoryName]
        let discount: ManagedDiscount?
    }

    func list() async throws -> PageContent {
        let page = try await admin.list(
            "discounts", like: Contract.discounts, key: \.id
        ) { repositories, after, limit in
            try repositories.discounts.discounts(after: after, limit: limit).map(\.managed)
        }
        let categories = try await admin.read { try $0.taxonomy.categoryNames() }
        let texts = DiscountTexts(admin: admin, categories: categories)
        let values = DiscountsValues(
            pager: ListAddress(AdminSection.discounts.path, of: admin.visit).pager(page),
            discounts: page.items.map(texts.row))
        return PageContent(values, title: "Discounts")
    }

    func new() async throws -> PageContent {
        content(Scope(categories: try await admin.read { try $0.taxonomy.categoryNames() }, discount: nil))
    }

    func one(_ id: String) async throws -> PageContent {
        let scope = try await admin.read { repositories in
            Scope(categories: try repositories.taxonomy.categoryNames(), discount: try repositories.discount(id: id))
        }
        guard let stored = scope.discount?.terms, let form = admin.visit.form,
            let failure = admin.visit.failure, failure.problem.code == .versionConflict
        else { return content(scope) }
        return conflict(failure, DiscountForm(form, admin.site), with: stored, scope)
    }

    /// The form with the member's changes, and with errors that name the values that another person saved.
    private func conflict(
        _ failure: FormFailure, _ edit: DiscountForm, with stored: DiscountTerms, _ scope: Scope
    ) -> PageContent {
        var page = self
        page.admin.visit.form = admin.visit.form?.only(Set(edit.changes.keys))
        var content = page.content(scope)
        var failure = failure
        failure.summary =
            "Another person saved this discount while you were editing it. "
            + "Your entries are kept; save to replace the other values."
        let texts = DiscountTexts(admin: admin, categories: scope.categories)
        failure.fields = edit.conflicts(with: stored).map { name in
            (name, "\(name): now \(texts.value(name, of: stored) ?? "nothing").")
        }
        content.failure = .own(failure.errors(prefix: admin.visit.part.inputPrefix))
        return content
    }

    private func content(_ scope: Scope) -> PageContent {
        let texts = DiscountTexts(admin: admin, categories: scope.categories)
        let saved = scope.discount.map { discount -> DiscountValues.Saved in
            .init(
                id: discount.id, shown: admin.visit.enteredValue("shown", default: discount.terms.hiddenText),
                status: texts.status(discount), usedText: texts.usedSentence(discount),
                canSwitchOff: admin.may(.writeDiscounts) && texts.isInEffect(discount))
        }
        let values = DiscountValues(
            saved: saved, action: saved.map { AdminPath.discount($0.id) } ?? AdminSection.discounts.path,
            saveLabel: saved == nil ? "Create discount" : "Save discount",
            discount: fields(scope.discount?.terms), currency: admin.site.shop.currency.code,
            timeZoneText: admin.timeZoneText, categories: categories(scope))
        return PageContent(values, title: scope.discount?.terms.code ?? "New discount")
    }

    /// The values of the fields, as entered or stored.
    private func fields(_ terms: DiscountTerms?) -> DiscountValues.Fields {
        let visit = admin.visit
        func number(_ value: Int?) -> String? { value.map(String.init) }
        let kind = visit.form?["kind"].flatMap(DiscountTerms.Kind.init) ?? terms?.kind ?? .percentage
        return DiscountValues.Fields(
            code: visit.enteredValue("code", default: terms?.code), isPercentage: kind == .percentage,
            isAmount: kind == .amount,
            isBuyXGetY: kind == .buyXGetY, isFreeShipping: kind == .freeShipping,
            percent: visit.enteredValue("basisPoints", default: terms?.basisPoints.map(AdminVisit.percentField)),
            amount: visit.enteredValue("amount", default: terms?.amount?.decimal),
            buy: visit.enteredValue("buy", default: number(terms?.buy)),
            get: visit.enteredValue("get", default: number(terms?.get)),
            startsAt: visit.enteredValue("startsAt", default: admin.field(terms?.startsAt)),
            endsAt: visit.enteredValue("endsAt", default: admin.field(terms?.endsAt)),
            minimum: visit.enteredValue("minimum", default: terms?.minimum?.decimal),
            products: visit.enteredValue("products", default: terms?.products?.joined(separator: "\n")),
            limit: visit.enteredValue("limit", default: number(terms?.limit)),
            limitPerAccount: visit.enteredValue("limitPerAccount", default: number(terms?.limitPerAccount)))
    }

    /// The categories of the shop, and those of the discount that no longer exist.
    private func categories(_ scope: Scope) -> [Choice.Values] {
        let stored = scope.discount?.terms.categories ?? []
        let isTyped = admin.visit.form?["categories"] != nil
        let chosen = (isTyped ? admin.ticked("categories") : nil) ?? Set(stored)
        let known = scope.categories.map { Choice($0.id, $0.name) }
        let gone = stored.filter { id in !scope.categories.contains { $0.id == id } }.map { Choice($0, $0) }
        return (known + gone).values(chosen: chosen)
    }
}

/// The values of a discount from the fields of its form, and the values that the member has changed.
struct DiscountForm {
    /// The seconds until a discount ends when it is switched off: the end must be in the future when it is stored.
    static let endsWithin: TimeInterval = 3

    private let fields: FormBody
    private let site: Site
    /// The terms shown in the form; nil for a new discount, and for a form that sets individual values.
    private let shown: DiscountTerms?

    init(_ form: FormBody, _ site: Site) {
        fields = form.without(["shown"])
        self.site = site
        shown = form["shown"].flatMap { try? DiscountTerms(json: Data($0.utf8)) }
    }

    /// The values, without those of other effects, whose fields are also in the form.
    var json: JSON {
        var json = fields.json(currency: site.shop.currency, timeZone: site.shop.timeZone)
        let own = json["kind"]?.string.flatMap(DiscountTerms.Kind.init).map(Self.values)
        for name in ["basisPoints", "amount", "buy", "get"] where own?.contains(name) == false { json[name] = nil }
        return json
    }

    /// The values that differ from those shown, so that changes by others are kept.
    var changes: [String: JSON] {
        let typed = json.object ?? [:]
        guard let shown else { return typed }
        var changes = Self.differences(from: Self.members(shown), to: Self.normal(typed))
        // A field has no fractions of a second, and a past end may be kept but not set.
        for (name, date) in [("startsAt", shown.startsAt), ("endsAt", shown.endsAt)] {
            if let date, fields[name] == LocalTime(date).text(in: site.shop.timeZone) { changes[name] = nil }
        }
        return changes
    }

    /// The names of the values that both the member and another person have changed, to different values.
    func conflicts(with stored: DiscountTerms) -> [String] {
        guard let shown else { return [] }
        let theirs = Self.differences(from: Self.members(shown), to: Self.members(stored))
        return changes.filter { change in theirs[change.key].map { $0 != change.value } ?? false }.keys.sorted()
    }

    private static func members(_ terms: DiscountTerms) -> [String: JSON] {
        normal((try? JSON(json: terms.json()))?.object ?? [:])
    }

    /// The members with sorted categories, whose order has no meaning.
    private static func normal(_ members: [String: JSON]) -> [String: JSON] {
        guard let categories = members["categories"]?.array else { return members }
        let sorted = categories.sorted { $0.string ?? "" < $1.string ?? "" }
        return members.merging(["categories": .array(sorted)]) { $1 }
    }

    /// The members of the new object that differ from the old one. A missing member is null.
    private static func differences(from old: [String: JSON], to new: [String: JSON]) -> [String: JSON] {
        let names = Set(old.keys).union(new.keys)
        return names.reduce(into: [:]) { found, name in
            let value = new[name] ?? .null
            if value != old[name] ?? .null { found[name] = value }
        }
    }

    private static func values(of kind: DiscountTerms.Kind) -> [String] {
        switch kind {
        case .percentage: ["basisPoints"]
        case .amount: ["amount"]
        case .buyXGetY: ["buy", "get"]
        case .freeShipping, .unrecognised: []
        }
    }
}

/// Describes a discount: its effect, scope and schedule.
struct DiscountTexts {
    let admin: AdminVisit
    let categories: [CategoryName]

    func row(_ discount: ManagedDiscount) -> DiscountsValues.Row {
        let terms = discount.terms
        return DiscountsValues.Row(
            url: AdminPath.discount(discount.id), code: terms.code, effectText: effect(terms),
            conditionText: conditions(terms).ifNotEmpty, scopeText: scope(terms), timesText: times(terms),
            status: status(discount),
            usedText: terms.limit.map { "\(discount.used) of \($0)" } ?? String(discount.used))
    }

    func usedSentence(_ discount: ManagedDiscount) -> String {
        discount.used == 0 ? "Not used yet." : "Used in \(admin.count(discount.used, "order", "orders"))."
    }

    // MARK: Status

    func isInEffect(_ discount: ManagedDiscount) -> Bool {
        let (terms, now) = (discount.terms, admin.site.now)
        return terms.startsAt.map { $0 <= now } ?? true && terms.endsAt.map { now < $0 } ?? true
    }

    func status(_ discount: ManagedDiscount) -> StatusValues {
        let (terms, now) = (discount.terms, admin.site.now)
        if let end = terms.endsAt, end <= now { return StatusTone.warn.status("Ended") }
        if let limit = terms.limit, discount.used >= limit { return StatusTone.warn.status("Used up") }
        if let start = terms.startsAt, now < start { return StatusTone.plain.status("Upcoming") }
        return StatusTone.good.status("Active")
    }

    // MARK: Terms

    /// The value of a field by its API name; nil for none.
    func value(_ name: String, of terms: DiscountTerms) -> String? {
        switch name {
        case "code": terms.code
        case "startsAt": terms.startsAt.map(admin.time)
        case "endsAt": terms.endsAt.map(admin.time)
        case "minimum": terms.minimum.map(admin.price)
        case "products": terms.products?.joined(separator: ", ")
        case "categories": terms.categories.map { names($0).joined(separator: ", ") }
        case "limit": terms.limit.map(admin.visit.language.number)
        case "limitPerAccount": terms.limitPerAccount.map(admin.visit.language.number)
        default: effect(terms)
        }
    }

    private func effect(_ terms: DiscountTerms) -> String {
        switch terms.kind {
        case .percentage: "\(AdminVisit.percent(basisPoints: terms.basisPoints ?? 0)) off"
        case .amount: "\(terms.amount.map(admin.price) ?? "") off"
        case .buyXGetY: "Buy \(terms.buy ?? 0), get \(terms.get ?? 0) free"
        case .freeShipping: "Free shipping"
        case .unrecognised: terms.kind.rawValue
        }
    }

    private func conditions(_ terms: DiscountTerms) -> String {
        let minimum = terms.minimum.map { "from \(admin.price($0))" }
        let perCustomer = terms.limitPerAccount.map { $0 == 1 ? "once per customer" : "\($0) times per customer" }
        return [minimum, perCustomer].compactMap(\.self).joined(separator: ", ")
    }

    private func scope(_ terms: DiscountTerms) -> String {
        let names = names(terms.categories ?? [])
        let products = (terms.products ?? []).count
        let counted = products == 0 ? [] : [admin.count(products, "product", "products")]
        let parts = names + counted
        return parts.isEmpty ? "Everything" : parts.joined(separator: ", ")
    }

    private func names(_ ids: [String]) -> [String] {
        ids.map { id in categories.first { $0.id == id }?.name ?? id }
    }

    private func times(_ terms: DiscountTerms) -> String {
        switch (terms.startsAt, terms.endsAt) {
        case (nil, nil): "always"
        case (let start?, nil): "from \(admin.time(start))"
        case (nil, let end?): "until \(admin.time(end))"
        case (let start?, let end?): "\(admin.time(start)) to \(admin.time(end))"
        }
    }
}
