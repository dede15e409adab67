import Hummingbird
import PouchContract
import PouchDomain
import PouchEntities
import PouchHTTP
import PouchJSON
import PouchWire

extension PageRoutes {
    /// Adds the pages of all customers' orders, and the forms to manage them.
    func addAdminOrderPages() {
        admin(.orders) { try await $0.ordersPage() }
        let order = admin(.orders, "/{id}") { try await AdminOrderPage(admin: $0).content() }
        admin(.orders, "/{id}/invoice") { try await OrderPapers(admin: $0).invoice() }
        admin(.orders, "/{id}/packing-slip") { try await OrderPapers(admin: $0).packingSlip() }

        form("/admin/orders/{id}/fulfil", does: Contract.fulfilOrder, showing: order) {
            ("Order \($0.number) was marked as sent.", AdminPath.order($0.id))
        }
        form("/admin/orders/{id}/deliver", does: Contract.deliverOrder, showing: order) {
            ("Order \($0.number) was marked as delivered.", AdminPath.order($0.id))
        }
        form("/admin/orders/{id}/cancel", does: Contract.cancelManagedOrder, showing: order) {
            ("Order \($0.number) was cancelled.", AdminPath.order($0.id))
        }
        form("/admin/orders/{id}/tracking", for: .staff(.writeOrders), showing: order) { submission in
            try await TrackingChange(submission: submission).perform()
        }
        form("/admin/orders/{id}/refund", for: .staff(.refundOrders), showing: order) { submission in
            let refund = try await RefundForm(submission: submission).perform()
            let amount = submission.visit.language.price(refund.amount)
            submission.tell(
                refund.status == .pending ? "A refund of \(amount) is pending." : "\(amount) was refunded.")
            return Redirect(to: try AdminPath.order(submission.visit.parameter("id")))
        }
        form("/admin/orders/{id}/notes", for: Contract.addOrderNote.endpoint.access, showing: order) { submission in
            try await submission.perform(Contract.addOrderNote)
            submission.tell("The note was added.")
            return Redirect(to: try AdminPath.order(submission.visit.parameter("id")) + "#notes")
        }
    }
}

/// The form for tracking, whose change can be undone.
private struct TrackingChange {
    let submission: Submission

    func perform() async throws -> Redirect {
        let reference = try submission.visit.parameter("id")
        let before = try await submission.visit.read { try $1.orders.order(of: reference).order }
        let answer = try await submission.perform(Contract.updateOrder)
        let after = try Order(json: answer.body)
        if before.tracking != after.tracking {
            let text = after.tracking == nil ? "Tracking was removed." : "Tracking was saved."
            submission.tell(text, undo: answer.version.map { undo(to: before, version: $0) })
        }
        return Redirect(to: AdminPath.order(after.id))
    }

    /// The form that restores the earlier tracking.
    ///
    /// - Parameter version: the version after the change. If the order has changed again, the form is refused instead
    ///   of undoing another member's work.
    private func undo(to before: Order, version: String) -> Notice.Undo {
        var fields = [HiddenField("version", version)]
        if let tracking = before.tracking {
            fields += [.init("tracking.carrier", tracking.carrier), .init("tracking.number", tracking.number)]
            if let url = tracking.url { fields.append(.init("tracking.url", url)) }
        } else {
            fields.append(.init("tracking!", ""))
        }
        return Notice.Undo(action: AdminPath.order(before.id) + "/tracking", fields: fields)
    }
}

/// The forms of refunds. Each states its scope, because a request without an amount or lines refunds the rest.
private struct RefundForm {
    let submission: Submission

    /// - Throws: `RequestProblem`; if the amount is too high, it states the refundable amount.
    func perform() async throws -> Refund {
        let isAmount = submission.form["scope"] == "amount"
        let lines = lines
        do {
            return try await submission.send(Contract.refundOrder, json(lines))
        } catch let error where isAmount && RequestProblem(error)?.code == .refundExceedsCapture {
            let reference = try submission.visit.parameter("id")
            let administration = ShopAdministration(submission.site.environment)
            let left = try await submission.visit.read {
                try administration.managedOrder(reference, in: $1).0.refundable.amount
            }
            let detail = "At most \(submission.visit.language.price(left)) can still be refunded."
            let field = FieldProblem(field: "amount", code: "out_of_range", detail: detail)
            throw RequestProblem(.refundExceedsCapture, nil, [field])
        } catch {
            guard var problem = RequestProblem(error) else { throw error }
            problem.fields = problem.fields?.map { field in
                FieldProblem(field: Self.typed(field.field, lines.map(\.row)), code: field.code, detail: field.detail)
            }
            throw problem
        }
    }

    /// A line of the request, with the number of its row in the form.
    private struct Line {
        let row: Int
        let json: JSON
    }

    /// The lines with units to refund.
    private var lines: [Line] {
        let rows = submission.form.rows(of: "lines", atMost: ModelLimits.lines).map(\.number).sorted()
        return zip(rows, submission.json["lines"]?.array ?? []).map { Line(row: $0, json: $1) }.filter { line in
            line.json["quantity"].map { $0 != 0 && $0 != .null } ?? false
        }
    }

    /// The form field for a field of the request, which omits lines without units.
    private static func typed(_ field: String, _ rows: [Int]) -> String {
        var steps = field.split(separator: ".").map(String.init)
        guard steps.count > 1, steps[0] == "lines", let index = Int(steps[1]), rows.indices.contains(index) else {
            return field
        }
        steps[1] = String(rows[index])
        return steps.joined(separator: ".")
    }

    /// The body of the request.
    ///
    /// - Throws: `RequestProblem` for a form without units or without an amount.
    private func json(_ lines: [Line]) throws -> JSON {
        let form = submission.json
        var body: [String: JSON] = ["reason": form["reason"] ?? ""]
        switch submission.form["scope"] {
        case "rest": break
        case "amount":
            guard let amount = form["amount"] else { throw Self.missing("amount", "Enter the amount.") }
            body["amount"] = amount
        case "lines":
            guard !lines.isEmpty else { throw Self.missing("lines", "Enter a quantity for at least one product.") }
            body["lines"] = .array(lines.map(\.json))
        default: throw RequestProblem(.invalidRequest, "Send the form from the order page.")
        }
        return .object(body)
    }

    private static func missing(_ field: String, _ detail: String) -> RequestProblem {
        RequestProblem(.validationFailed, detail, [FieldProblem(field: field, code: "missing", detail: detail)])
    }
}
