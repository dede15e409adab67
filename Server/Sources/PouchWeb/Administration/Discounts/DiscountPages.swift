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
        admin("/admin/discounts", .readCatalog) { try await DiscountPages(desk: $0).list() }
        let new = admin("/admin/discounts/new", .writeDiscounts) { try await DiscountPages(desk: $0).new() }
        let one = admin("/admin/discounts/{id}", .readCatalog) { desk in
            try await DiscountPages(desk: desk).one(desk.visit.parameter("id"))
        }
        let access = Contract.updateDiscount.endpoint.access
        form("/admin/discounts", for: access, showing: new) { submission in
            let answer = try await submission.send(Contract.addDiscount, DiscountForm(submission).json)
            let discount = try ManagedDiscount(json: answer)
            submission.tell("\(discount.terms.code) was made.")
            return Redirect(to: AdminPath.discount(discount.id))
        }
        form("/admin/discounts/{id}", for: access, showing: one) { submission in
            let old = try await submission.storedDiscount()
            let answer = try await submission.send(
                Contract.updateDiscount, DiscountForm(submission, replacing: old.terms).json)
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

/// The JSON of a discount from the fields of its form.
struct DiscountForm {
    /// Seconds after which a discount that is switched off ends: the end must still lie ahead when it is stored.
    static let endsWithin: TimeInterval = 3

    private let submission: Submission
    private let stored: DiscountTerms?

    /// - Parameter stored: the terms that the form changes; nil for a new discount.
    init(_ submission: Submission, replacing stored: DiscountTerms? = nil) {
        self.submission = submission
        self.stored = stored
    }

    /// Without the values of other effects, whose fields the form shows, too. A time that was not edited is left out,
    /// since a field has no fractions of seconds, and an end that has passed may stay, but not be set.
    var json: JSON {
        var json = submission.json
        let own = json["kind"]?.string.flatMap(DiscountTerms.Kind.init).map(Self.values)
        for name in ["basisPoints", "amount", "buy", "get"] where own?.contains(name) == false { json[name] = nil }
        let zone = submission.site.shop.timeZone
        for (name, date) in [("startsAt", stored?.startsAt), ("endsAt", stored?.endsAt)] {
            if let date, submission.form[name] == LocalTime(date).text(in: zone) { json[name] = nil }
        }
        return json
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
    let desk: Desk

    private struct Scope: Sendable {
        let categories: [PouchEntities.Category]
        let discount: ManagedDiscount?
    }

    func list() async throws -> PageContent {
        let page = try await desk.list("discounts", key: \.id) { repositories, after, limit in
            try repositories.discounts.discounts(after: after, limit: limit).map(\.managed)
        }
        let categories = try await desk.read { try $0.outline.categories() }
        let texts = DiscountTexts(desk: desk, categories: categories)
        return PageContent(
            "admin-discounts", title: "Discounts",
            [
                "hasDiscounts": !page.items.isEmpty,
                "pager": ListAddress(AdminPath.discounts, of: desk.visit).pager(page),
                "discounts": page.items.map { discount -> PageValues in
                    texts.row(discount).merging(["url": AdminPath.discount(discount.id)]) { $1 }
                },
            ])
    }

    func new() async throws -> PageContent {
        content(Scope(categories: try await desk.read { try $0.outline.categories() }, discount: nil))
    }

    func one(_ id: String) async throws -> PageContent {
        content(
            try await desk.read { repositories in
                Scope(categories: try repositories.outline.categories(), discount: try repositories.discount(id: id))
            })
    }

    private func content(_ scope: Scope) -> PageContent {
        let texts = DiscountTexts(desk: desk, categories: scope.categories)
        var values: PageValues = [
            "saved": false, "action": AdminPath.discounts, "saveLabel": "Make the discount",
            "discount": fields(scope.discount?.terms), "currency": desk.site.shop.currency.code,
            "timeZoneText": desk.timeZoneText, "categories": categories(scope),
        ]
        if let discount = scope.discount {
            values["saved"] =
                [
                    "id": discount.id, "status": texts.status(discount), "usedText": texts.usedSentence(discount),
                    "canSwitchOff": desk.may(.writeDiscounts) && texts.isInEffect(discount),
                ] as PageValues
            values["action"] = AdminPath.discount(discount.id)
            values["saveLabel"] = "Save the discount"
        }
        return PageContent("admin-discount", title: scope.discount?.terms.code ?? "New discount", values)
    }

    /// The values of the fields, as they were typed or are stored.
    private func fields(_ terms: DiscountTerms?) -> PageValues {
        let visit = desk.visit
        func number(_ value: Int?) -> String? { value.map(String.init) }
        let kind = visit.form?["kind"].flatMap(DiscountTerms.Kind.init) ?? terms?.kind ?? .percentage
        return [
            "code": visit.typed("code", or: terms?.code),
            "isPercentage": kind == .percentage, "isAmount": kind == .amount, "isBuyXGetY": kind == .buyXGetY,
            "isFreeShipping": kind == .freeShipping,
            "percent": visit.typed("basisPoints", or: terms?.basisPoints.map(Desk.percentField)),
            "amount": visit.typed("amount", or: terms?.amount?.decimal),
            "buy": visit.typed("buy", or: number(terms?.buy)), "get": visit.typed("get", or: number(terms?.get)),
            "startsAt": visit.typed("startsAt", or: desk.field(terms?.startsAt)),
            "endsAt": visit.typed("endsAt", or: desk.field(terms?.endsAt)),
            "minimum": visit.typed("minimum", or: terms?.minimum?.decimal),
            "products": visit.typed("products", or: terms?.products?.joined(separator: "\n")),
            "limit": visit.typed("limit", or: number(terms?.limit)),
            "limitPerAccount": visit.typed("limitPerAccount", or: number(terms?.limitPerAccount)),
        ]
    }

    /// The categories of the shop, and those of the discount that the shop has no longer.
    private func categories(_ scope: Scope) -> [PageValues] {
        let stored = scope.discount?.terms.categories ?? []
        let chosen = desk.ticked("categories") ?? Set(stored)
        let known = scope.categories.map { Choice($0.id, $0.name) }
        let gone = stored.filter { id in !scope.categories.contains { $0.id == id } }.map { Choice($0, $0) }
        return (known + gone).values(chosen: chosen)
    }
}
