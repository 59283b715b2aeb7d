// temporary
#include "core/labs/routing_instances.h"
#include "core/model/attention_model.h"
#include <chrono>
#include <cstdio>
using namespace attnscope;
int main(int argc,char**){
  using C=std::chrono::steady_clock;
  for(bool depot:{false,true}){
  const auto model=openAttentionModel(depot?"/work/shared/data/cvrp100_attention_model.safetensors":"/work/shared/data/tsp100_attention_model.safetensors");
  if(!model){puts(model.error().message.c_str());return 1;}
  auto all=readInstances("/work/shared/data/routing_instances.safetensors",depot);
  if(!all){puts(all.error().message.c_str());return 1;}
  for(const char*m:{"vanilla","softmax_plus","infoscale"})
  for(auto&[n,inst]:*all){
    RoutingRequest r{.policy={.method={m,{},{}},.encoder=true,.decoder=argc>1,.trainLength=100}};
    if(std::string(m)=="softmax_plus") r.policy.method.values["B"]=100;
    auto t=C::now();
    auto run=runRouting(*model,inst,r);
    double s=std::chrono::duration<double>(C::now()-t).count();
    if(!run){puts(run.error().message.c_str());return 1;}
    printf("%s %ld %s:",depot?"cvrp":"tsp",(long)n,m);
    for(size_t i=0;i<inst.size();++i){printf(" %.4f",lengthOf(inst[i],run->tours[i][0])); if(auto c=checkTour(inst[i],run->tours[i][0]);!c) printf("(%s)",c.error().message.c_str());}
    printf("   %.3f s\n",s);
  }
  std::vector<RoutingInstance> eight; for(int i=0;i<8;++i) eight.push_back(drawInstance({.depot=depot,.size=800},i));
  for (int k=0;k<2;++k){
  auto t=C::now(); auto run=runRouting(*model,eight,{.policy={},}); printf("batch8 800: %.3f each\n",std::chrono::duration<double>(C::now()-t).count()/8);
  t=C::now(); run=runRouting(*model,std::span(eight).first(1),{.policy={},}); printf("one 800: %.3f\n",std::chrono::duration<double>(C::now()-t).count());
  t=C::now(); run=runRouting(*model,std::span(eight).first(1),{.policy={},.entropies=true}); printf("with entropies: %.3f\n",std::chrono::duration<double>(C::now()-t).count());
  }}
}
