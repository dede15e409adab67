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
    /// Adds the list of discount codes and the form of a discount.
    func addDiscountPages() {
        let path = AdminPath.discounts
        admin("/admin/discounts", .readCatalog) { try await DiscountPages(admin: $0).list() }
        let new = admin("/admin/discounts/new", .writeDiscounts) { try await DiscountPages(admin: $0).new() }
        let one = admin("/admin/discounts/{id}", .readCatalog) { admin in
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
            let stored = try await submission.storedDiscount()
            guard edit.conflicts(with: stored.terms).isEmpty else { throw RequestProblem(.versionConflict) }
            let discount = try await submission.send(Contract.updateDiscount, JSON.object(edit.changes))
            submission.tell("\(discount.terms.code) was saved.")
            return Redirect(to: AdminPath.discount(discount.id))
        }
        form("/admin/discounts/{id}/off", for: access, showing: one) { submission in
            let old = try await submission.storedDiscount()
            let end = submission.site.now.addingTimeInterval(DiscountForm.endsWithin)
            try await submission.perform(Contract.updateDiscount, ["endsAt": .string(WireTime.text(end))] as JSON)
            let page = AdminPath.discount(old.id)
            let before = old.terms.endsAt.map(WireTime.text) ?? ""
            submission.tell(
                "\(old.terms.code) ends now.", undo: .init(action: page, fields: [.init("endsAt!:time", before)]))
            return Redirect(to: page)
        }
        form("/admin/discounts/{id}/delete", for: access, showing: one) { submission in
            let old = try await submission.storedDiscount()
            try await submission.perform(Contract.deleteDiscount)
            submission.tell("\(old.terms.code) was deleted.")
            return Redirect(to: path)
        }
    }
}

extension Submission {
    /// The discount in the form's path, before the form takes effect.
    fileprivate func storedDiscount() async throws -> ManagedDiscount {
        let id = try visit.parameter("id")
        return try await visit.read { _, repositories in try repositories.discount(id: id) }
    }
}

extension Repositories {
    /// - Throws: `DomainError.notFound`.
    fileprivate func discount(id: String) throws -> ManagedDiscount {
        guard let record = try discounts.record(id: id) else { throw DomainError.notFound }
        return record.managed
    }
}

struct DiscountsValues: PageModel {
    static let template = "admin-discounts"

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
    static let template = "admin-discount"

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

/// Creates the pages of discounts.
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
            pager: ListAddress(AdminPath.discounts, of: admin.visit).pager(page), discounts: page.items.map(texts.row))
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
                id: discount.id, shown: admin.visit.typed("shown", or: discount.terms.hiddenText),
                status: texts.status(discount), usedText: texts.usedSentence(discount),
                canSwitchOff: admin.may(.writeDiscounts) && texts.isInEffect(discount))
        }
        let values = DiscountValues(
            saved: saved, action: saved.map { AdminPath.discount($0.id) } ?? AdminPath.discounts,
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
            code: visit.typed("code", or: terms?.code), isPercentage: kind == .percentage, isAmount: kind == .amount,
            isBuyXGetY: kind == .buyXGetY, isFreeShipping: kind == .freeShipping,
            percent: visit.typed("basisPoints", or: terms?.basisPoints.map(AdminVisit.percentField)),
            amount: visit.typed("amount", or: terms?.amount?.decimal),
            buy: visit.typed("buy", or: number(terms?.buy)), get: visit.typed("get", or: number(terms?.get)),
            startsAt: visit.typed("startsAt", or: admin.field(terms?.startsAt)),
            endsAt: visit.typed("endsAt", or: admin.field(terms?.endsAt)),
            minimum: visit.typed("minimum", or: terms?.minimum?.decimal),
            products: visit.typed("products", or: terms?.products?.joined(separator: "\n")),
            limit: visit.typed("limit", or: number(terms?.limit)),
            limitPerAccount: visit.typed("limitPerAccount", or: number(terms?.limitPerAccount)))
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
