/// A parameter that some request's query may have.
struct QueryParameter {
    /// A name that ends in `*` stands for all with that beginning.
    let name: String
    let schema: JSON
    var isRequired = false
}
