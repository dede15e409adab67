import Foundation
import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

extension PageRoutes {
    /// Discount codes: the list, and the form of one.
    func addDiscountPages() {
        let path = AdminPath.discounts
        admin("/admin/discounts", .readCatalog) { try await DiscountPages(admin: $0).list() }
        let new = admin("/admin/discounts/new", .writeDiscounts) { try await DiscountPages(admin: $0).new() }
        let one = admin("/admin/discounts/{id}", .readCatalog) { admin in
            try await DiscountPages(admin: admin).one(admin.visit.parameter("id"))
        }
        let access = Contract.updateDiscount.endpoint.access
        form("/admin/discounts", for: access, showing: new) { submission in
            let answer = try await submission.send(
                Contract.addDiscount, DiscountForm(submission.form, submission.site).json)
            let discount = try ManagedDiscount(json: answer)
            submission.tell("The discount \(discount.terms.code) was created.")
            return Redirect(to: AdminPath.discount(discount.id))
        }
        form("/admin/discounts/{id}", for: access, showing: one) { submission in
            let edit = DiscountForm(submission.form, submission.site)
            let stored = try await submission.storedDiscount()
            guard edit.conflicts(with: stored.terms).isEmpty else { throw RequestProblem(.versionConflict) }
            let answer = try await submission.send(Contract.updateDiscount, .object(edit.changes))
            let discount = try ManagedDiscount(json: answer)
            submission.tell("\(discount.terms.code) was saved.")
            return Redirect(to: AdminPath.discount(discount.id))
        }
        form("/admin/discounts/{id}/off", for: access, showing: one) { submission in
            let old = try await submission.storedDiscount()
            let end = submission.site.now.addingTimeInterval(DiscountForm.endsWithin)
            try await submission.send(Contract.updateDiscount, ["endsAt": .string(WireTime.text(end))])
            let page = AdminPath.discount(old.id)
            let before = old.terms.endsAt.map(WireTime.text) ?? ""
            submission.tell(
                "\(old.terms.code) ends now.", undo: .init(action: page, fields: [.init("endsAt!:time", before)]))
            return Redirect(to: page)
        }
        form("/admin/discounts/{id}/delete", for: access, showing: one) { submission in
            let old = try await submission.storedDiscount()
            try await submission.send(Contract.deleteDiscount)
            submission.tell("\(old.terms.code) was deleted.")
            return Redirect(to: path)
        }
    }
}

extension Submission {
    /// The discount of the form's path, as it is before the form takes effect.
    fileprivate func storedDiscount() async throws -> ManagedDiscount {
        let id = try visit.parameter("id")
        return try await site.read(visit) { _, repositories in try repositories.discount(id: id) }
    }
}

extension Repositories {
    /// - Throws: `DomainError.notFound`.
    fileprivate func discount(id: String) throws -> ManagedDiscount {
        guard let record = try discounts.record(id: id) else { throw DomainError.notFound }
        return record.managed
    }
}

/// The values of a discount from the fields of its form, and those of them that the member has changed.
struct DiscountForm {
    /// Seconds after which a discount that is switched off ends: the end must still lie ahead when it is stored.
    static let endsWithin: TimeInterval = 3

    private let fields: FormBody
    private let site: Site
    /// The terms that the form showed; nil for a new discount, and for a form that sets single values.
    private let shown: DiscountTerms?

    init(_ form: FormBody, _ site: Site) {
        fields = form.without(["shown"])
        self.site = site
        shown = form["shown"].flatMap { try? DiscountTerms(json: Data($0.utf8)) }
    }

    /// Without the values of other effects, whose fields the form shows, too.
    var json: JSON {
        var json = fields.json(currency: site.shop.currency, timeZone: site.shop.timeZone)
        let own = json["kind"]?.string.flatMap(DiscountTerms.Kind.init).map(Self.values)
        for name in ["basisPoints", "amount", "buy", "get"] where own?.contains(name) == false { json[name] = nil }
        return json
    }

    /// The values that differ from those shown, so that the values that others change stay.
    var changes: [String: JSON] {
        let typed = json.object ?? [:]
        guard let shown else { return typed }
        var changes = Self.differences(from: Self.members(shown), to: Self.normal(typed))
        // A field has no fractions of seconds, and an end that has passed may stay, but not be set.
        for (name, date) in [("startsAt", shown.startsAt), ("endsAt", shown.endsAt)] {
            if let date, fields[name] == LocalTime(date).text(in: site.shop.timeZone) { changes[name] = nil }
        }
        return changes
    }

    /// The names of the values that both the member and another person have changed, in different ways.
    func conflicts(with stored: DiscountTerms) -> [String] {
        guard let shown else { return [] }
        let theirs = Self.differences(from: Self.members(shown), to: Self.members(stored))
        return changes.filter { change in theirs[change.key].map { $0 != change.value } ?? false }.keys.sorted()
    }

    private static func members(_ terms: DiscountTerms) -> [String: JSON] {
        normal((try? JSON(json: terms.json()))?.object ?? [:])
    }

    /// The order of the categories says nothing.
    private static func normal(_ members: [String: JSON]) -> [String: JSON] {
        guard let categories = members["categories"]?.array else { return members }
        let sorted = categories.sorted { $0.string ?? "" < $1.string ?? "" }
        return members.merging(["categories": .array(sorted)]) { $1 }
    }

    /// The members of the new object that differ from those of the old one. A missing member is null.
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

/// Makes the pages of discounts.
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
        let page = try await admin.list("discounts", key: \.id) { repositories, after, limit in
            try repositories.discounts.discounts(after: after, limit: limit).map(\.managed)
        }
        let categories = try await admin.read { try $0.outline.categoryNames() }
        let texts = DiscountTexts(admin: admin, categories: categories)
        return PageContent(
            "admin-discounts", title: "Discounts",
            [
                "hasDiscounts": !page.items.isEmpty,
                "pager": ListAddress(AdminPath.discounts, of: admin.visit).pager(page),
                "discounts": page.items.map { discount -> PageValues in
                    texts.row(discount).merging(["url": AdminPath.discount(discount.id)]) { $1 }
                },
            ])
    }

    func new() async throws -> PageContent {
        content(Scope(categories: try await admin.read { try $0.outline.categoryNames() }, discount: nil))
    }

    func one(_ id: String) async throws -> PageContent {
        let scope = try await admin.read { repositories in
            Scope(categories: try repositories.outline.categoryNames(), discount: try repositories.discount(id: id))
        }
        guard let stored = scope.discount?.terms, let form = admin.visit.form,
            let failure = admin.visit.failure, failure.problem.code == .versionConflict
        else { return content(scope) }
        return conflict(failure, DiscountForm(form, admin.site), with: stored, scope)
    }

    /// The form with the values that another person has saved, and those that the member has changed.
    private func conflict(
        _ failure: FormFailure, _ edit: DiscountForm, with stored: DiscountTerms, _ scope: Scope
    ) -> PageContent {
        var page = self
        page.admin.visit.form = admin.visit.form?.only(Set(edit.changes.keys))
        var content = page.content(scope)
        var failure = failure
        failure.summary =
            "Another person saved this discount while you were editing it. "
            + "Your entries are kept. Save to replace the other values."
        let texts = DiscountTexts(admin: admin, categories: scope.categories)
        failure.fields = edit.conflicts(with: stored).map { name in
            (name, "\(name): now \(texts.value(name, of: stored) ?? "nothing").")
        }
        content.values["errors"] = failure.values(id: "f-")
        return content
    }

    private func content(_ scope: Scope) -> PageContent {
        let texts = DiscountTexts(admin: admin, categories: scope.categories)
        var values: PageValues = [
            "saved": false, "action": AdminPath.discounts, "saveLabel": "Create discount",
            "discount": fields(scope.discount?.terms), "currency": admin.site.shop.currency.code,
            "timeZoneText": admin.timeZoneText, "categories": categories(scope),
        ]
        if let discount = scope.discount {
            let shown = (try? discount.terms.json()).map { String(decoding: $0, as: UTF8.self) }
            values["saved"] =
                [
                    "id": discount.id, "shown": admin.visit.typed("shown", or: shown),
                    "status": texts.status(discount), "usedText": texts.usedSentence(discount),
                    "canSwitchOff": admin.may(.writeDiscounts) && texts.isInEffect(discount),
                ] as PageValues
            values["action"] = AdminPath.discount(discount.id)
            values["saveLabel"] = "Save the discount"
        }
        return PageContent("admin-discount", title: scope.discount?.terms.code ?? "New discount", values)
    }

    /// The values of the fields, as they were typed or are stored.
    private func fields(_ terms: DiscountTerms?) -> PageValues {
        let visit = admin.visit
        func number(_ value: Int?) -> String? { value.map(String.init) }
        let kind = visit.form?["kind"].flatMap(DiscountTerms.Kind.init) ?? terms?.kind ?? .percentage
        return [
            "code": visit.typed("code", or: terms?.code),
            "isPercentage": kind == .percentage, "isAmount": kind == .amount, "isBuyXGetY": kind == .buyXGetY,
            "isFreeShipping": kind == .freeShipping,
            "percent": visit.typed("basisPoints", or: terms?.basisPoints.map(AdminVisit.percentField)),
            "amount": visit.typed("amount", or: terms?.amount?.decimal),
            "buy": visit.typed("buy", or: number(terms?.buy)), "get": visit.typed("get", or: number(terms?.get)),
            "startsAt": visit.typed("startsAt", or: admin.field(terms?.startsAt)),
            "endsAt": visit.typed("endsAt", or: admin.field(terms?.endsAt)),
            "minimum": visit.typed("minimum", or: terms?.minimum?.decimal),
            "products": visit.typed("products", or: terms?.products?.joined(separator: "\n")),
            "limit": visit.typed("limit", or: number(terms?.limit)),
            "limitPerAccount": visit.typed("limitPerAccount", or: number(terms?.limitPerAccount)),
        ]
    }

    /// The categories of the shop, and those of the discount that the shop has no longer.
    private func categories(_ scope: Scope) -> [PageValues] {
        let stored = scope.discount?.terms.categories ?? []
        let isTyped = admin.visit.form?["categories"] != nil
        let chosen = (isTyped ? admin.ticked("categories") : nil) ?? Set(stored)
        let known = scope.categories.map { Choice($0.id, $0.name) }
        let gone = stored.filter { id in !scope.categories.contains { $0.id == id } }.map { Choice($0, $0) }
        return (known + gone).values(chosen: chosen)
    }
}
