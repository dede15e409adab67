import PouchContract
import PouchDomain
import PouchEntities

/// The addresses of a customer.
struct AddressRoutes {
    let services: ShopServices
    let pages: ListPager

    func register(with routes: RouteRegistrar) {
        let book = services.addressBook
        routes.read(Contract.addresses) { call, principal, repositories in
            Reply(
                try pages.page(
                    of: try book.addresses(principal, in: repositories), list: "addresses", call.query(PageQuery.self),
                    key: { $0.id ?? "" }))
        }
        routes.write(Contract.addAddress) { call, principal, repositories in
            Reply(try book.add(call.body.address(), for: principal, in: repositories))
        }
        routes.write(Contract.updateAddress) { call, principal, repositories in
            let id = try call.parameter("id")
            return Reply(try book.update(id: id, of: principal, in: repositories) { call.body.applied(to: $0) })
        }
        routes.delete(Contract.deleteAddress) { call, principal, repositories in
            try book.delete(id: call.parameter("id"), of: principal, in: repositories)
        }
    }
}
